import type { FindingList } from '../../base/errors/index.ts';
import { compareBytes } from '../../base/util/bytes.ts';
import { idOf, type Holder, type Resource, type SharedText, describeId } from './resource.ts';
import { isObject, type Json, type JsonObject } from '../objects/index.ts';
import { setOwnField } from '../../base/util/json-map.ts';

/** Records that fields share the value of a label or an annotation that was added to all of them. */
export function shareText(resource: Resource, holders: readonly Holder[]): void {
  for (const holder of holders) leave(resource, (other) => isSame(other, holder));
  if (holders.length > 1) resource.sharedTexts.push([...holders]);
}

/** Copies a value that was set in one field to all fields that share a value with this field. */
export function spreadText(resource: Resource, holder: Holder, value: Json): void {
  const shared = resource.sharedTexts.find((holders) => holders.some((other) => isSame(other, holder)));
  for (const { mapping, key } of shared ?? []) setOwnField(mapping, key, value);
}

/** Field in which a patch has set a value, with this value. */
export interface PatchedText extends Holder {
  readonly value: Json;
  readonly path: readonly (string | number)[];
}

/**
 * Copies each value that a merge has set to all fields that share the value, in kustomize's order. If several of these fields were set, the
 * last value is used.
 */
export function spreadPatched(resource: Resource, patched: readonly PatchedText[]): void {
  if (resource.sharedTexts.length === 0) return;
  // A removed field no longer shares its value if it is added again later.
  leave(resource, ({ mapping, key }) => !Object.hasOwn(mapping, key));
  for (const { value, ...holder } of patched.toSorted((a, b) => comparePaths(a.path, b.path)))
    spreadText(resource, holder, value);
}

/**
 * Refuses fields that shared a value, but whose values differ now, for example because a variable or a reference changed one of them.
 * kustomize would have changed the shared value in all of these fields.
 */
export function refuseDiverged(resources: readonly Resource[], findings: FindingList): void {
  for (const resource of resources) {
    const diverged = resource.sharedTexts.filter(
      (holders) => new Set(holders.map(({ mapping, key }) => mapping[key])).size > 1,
    );
    for (const key of new Set(diverged.map(([holder]) => holder?.key ?? '')))
      findings.add({
        code: 'kustomize/replacement-failed',
        message: `${describeId(idOf(resource))}: ${key} was added to several fields, and a variable or a configuration changes its value in only some of them; kustomize changes it in all`,
        where: resource.where,
        fix: ['write the value itself, or set it with `replacements`'],
      });
  }
}

/**
 * Removes the fields in the object's own `metadata.annotations` from the groups of fields that share values, because kustomize rewrites
 * annotations whenever it records something in them.
 */
export function unshareAnnotations(resource: Resource): void {
  if (resource.sharedTexts.length === 0) return;
  const { metadata } = resource.object;
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  leave(resource, ({ mapping }) => mapping === annotations);
}

/**
 * Returns the groups of fields that share values, for a copy of a resource's object. The fields of the copy replace the fields of the
 * original object.
 */
export function followCopy(resource: Resource, copy: JsonObject): SharedText[] {
  const copies = new Map<JsonObject, JsonObject>();
  if (resource.sharedTexts.length > 0) pair(resource.object, copy);
  return resource.sharedTexts.map((holders) =>
    holders.flatMap(({ mapping, key }) => {
      const copied = copies.get(mapping);
      return copied === undefined ? [] : [{ mapping: copied, key }];
    }),
  );

  function pair(one: Json, other: Json | undefined): void {
    if (Array.isArray(one) && Array.isArray(other))
      for (const [index, item] of one.entries()) pair(item, other[index]);
    if (!isObject(one) || !isObject(other)) return;
    copies.set(one, other);
    for (const [key, field] of Object.entries(one)) pair(field, other[key]);
  }
}

function leave({ sharedTexts }: Resource, isMeant: (holder: Holder) => boolean): void {
  for (const [index, holders] of sharedTexts.entries())
    sharedTexts[index] = holders.filter((holder) => !isMeant(holder));
}

function isSame(a: Holder, b: Holder): boolean {
  return a.mapping === b.mapping && a.key === b.key;
}

function comparePaths(a: PatchedText['path'], b: PatchedText['path']): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order =
      typeof part === 'number' && typeof other === 'number'
        ? part - other
        : compareBytes(String(part), String(other));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
