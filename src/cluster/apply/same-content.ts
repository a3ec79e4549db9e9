import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ManagedFieldsEntry } from '../../sdk/api/index.ts';
import { memberAt, ownedSteps, type OwnedFields } from './owned-fields.ts';

/**
 * True if an apply of `manager` changed nothing: it owns the same fields as before, and they have the same values. What
 * others own does not count, since they write at any time: the controller of Deployments adds an annotation to each new
 * one. So the resource version does not tell either, which a dry run does not raise at all.
 */
export function sameContent(before: KubeObject, after: KubeObject, manager: string): boolean {
  const owned = ownedBy(after, manager);
  // An aggregated API server may not keep who owns what, and nobody sees `stringData` of a Secret again, only what it makes.
  if (owned.length === 0 || owned.some(({ fieldsV1 = {} }) => !isVisible(fieldsV1, after)))
    return isDeepStrictEqual(unownedContent(before), unownedContent(after));
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

function isVisible(fields: OwnedFields, value: unknown): boolean {
  return ownedSteps(fields).every(([step, below]) => {
    const member = memberAt(value, step);
    return member !== undefined && isVisible(below, member);
  });
}

function sameFields(fields: OwnedFields, before: unknown, after: unknown): boolean {
  const steps = ownedSteps(fields);
  if (steps.length === 0) return isDeepStrictEqual(before, after);
  return steps.every(([step, below]) => sameFields(below, memberAt(before, step), memberAt(after, step)));
}
