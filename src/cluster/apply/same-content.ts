import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ManagedFieldsEntry } from '../../api/index.ts';

/**
 * Whether an apply of `manager` changed nothing: it owns the same fields as before, and they have the same values. What
 * others own does not count, since they write at any time: the controller of Deployments adds an annotation to each new
 * one. So the resource version does not tell either, which a dry run does not raise at all.
 */
export function sameContent(before: KubeObject, after: KubeObject, manager: string): boolean {
  const owned = ownedBy(after, manager);
  // An aggregated API server may not keep who owns what.
  if (owned.length === 0) return isDeepStrictEqual(unownedContent(before), unownedContent(after));
  return (
    isDeepStrictEqual(ownedBy(before, manager), owned) &&
    owned.every(({ fieldsV1 = {} }) => sameFields(fieldsV1, before, after))
  );
}

/** Without the time: the API server renews it, and nothing else, when it puts the entries of two managers into another order. */
function ownedBy({ metadata }: KubeObject, manager: string): readonly Omit<ManagedFieldsEntry, 'time'>[] {
  return (metadata.managedFields ?? [])
    .filter(
      (entry) => entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === '',
    )
    .map(({ time: _time, ...entry }) => entry);
}

function unownedContent(object: KubeObject): unknown {
  const { status: _status, metadata, ...content } = object as KubeObject & { readonly status?: unknown };
  const { resourceVersion: _resourceVersion, managedFields: _managedFields, ...meta } = metadata;
  return { ...content, metadata: meta };
}

/** Source: structured-merge-diff `fieldpath`, the serialized form of a set of fields. */
function sameFields(fields: object, before: unknown, after: unknown): boolean {
  // The `.` says that the field itself is owned, not only what is in it.
  const steps = Object.entries(fields).filter(([step]) => step !== '.');
  if (steps.length === 0) return isDeepStrictEqual(before, after);
  return steps.every(([step, below]) =>
    sameFields(below as object, memberAt(before, step), memberAt(after, step)),
  );
}

/** What a step such as `f:name`, `k:{"name":"a"}` or `v:"item"` leads to. */
function memberAt(value: unknown, step: string): unknown {
  const name = step.slice(2);
  if (step.startsWith('f:')) return (value as Readonly<Record<string, unknown>> | undefined)?.[name];
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (step.startsWith('i:')) return items[Number(name)];
  const wanted: unknown = JSON.parse(name);
  if (step.startsWith('v:')) return items.find((item) => isDeepStrictEqual(item, wanted));
  const keys = Object.entries(wanted as object);
  return items.find((item) =>
    keys.every(([key, each]) => isDeepStrictEqual((item as Readonly<Record<string, unknown>>)[key], each)),
  );
}
