import type { ManagedFieldsEntry } from '../../sdk/api/index.ts';
import type { JsonPatchOperation } from '../../sdk/kube/index.ts';
import { FieldSet } from '../../kubernetes/objects/index.ts';

/** Part of an object whose fields are owned separately: `''` for the object itself, or a subresource such as `status`. */
export type OwnedPart = string;

/** Returns true for an entry that was written by a request other than apply. */
export function isUpdate({ operation, subresource }: ManagedFieldsEntry, part: OwnedPart = ''): boolean {
  return operation === 'Update' && (subresource ?? '') === part;
}

/** Returns true for the entry with the fields that a manager has applied. */
export function isApplyOf(
  { manager, operation, subresource }: ManagedFieldsEntry,
  applier: string,
  part: OwnedPart = '',
): boolean {
  return manager === applier && operation === 'Apply' && (subresource ?? '') === part;
}

/**
 * Returns the managed fields of an object, changed so that `manager` also owns the fields that the former managers own by update. The next
 * server-side apply of `manager` then removes those of these fields that it does not contain. If the manager has applied nothing yet, the
 * newest entry of the former managers becomes its entry.
 *
 * Source: client-go `util/csaupgrade`. As in client-go, fields that were written in another API version than the manager's fields remain
 * without an owner, because their names may have another meaning.
 */
export function withFieldsTakenOver(
  entries: readonly ManagedFieldsEntry[],
  former: readonly string[],
  manager: string,
  part: OwnedPart = '',
): readonly ManagedFieldsEntry[] {
  const isFormer = (entry: ManagedFieldsEntry): boolean =>
    isUpdate(entry, part) && former.includes(entry.manager ?? '');
  const target = entries.find((entry) => isApplyOf(entry, manager, part)) ?? newest(entries.filter(isFormer));
  if (target === undefined) return entries;
  const fieldsV1 = entries
    .filter((entry) => entry !== target && isFormer(entry) && entry.apiVersion === target.apiVersion)
    .reduce(
      (fields, entry) => fields.union(FieldSet.fromJson(entry.fieldsV1)),
      FieldSet.fromJson(target.fieldsV1),
    )
    .toJson();
  const taken: ManagedFieldsEntry = { ...target, manager, operation: 'Apply', fieldsV1 };
  return entries.flatMap((entry) => (entry === target ? [taken] : isFormer(entry) ? [] : [entry]));
}

/**
 * Returns the entry with the latest time; of entries with equal times, the first one. The API server sorts entries from oldest to newest.
 */
function newest(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry | undefined {
  return entries.reduce<ManagedFieldsEntry | undefined>(
    (best, entry) => (best === undefined || timeOf(entry) > timeOf(best) ? entry : best),
    undefined,
  );
}

function timeOf({ time }: ManagedFieldsEntry): number {
  return time === undefined ? -Infinity : Date.parse(time);
}

/**
 * Returns a JSON patch that replaces the managed fields of an object.
 * @param resourceVersion version of the object from which the managed fields were read
 */
export function takeOverPatch(
  managedFields: readonly ManagedFieldsEntry[],
  resourceVersion: string | undefined,
): readonly JsonPatchOperation[] {
  return [
    { op: 'replace', path: '/metadata/managedFields', value: managedFields },
    // `replace` makes an outdated resource version a conflict. A failed `test` would not be reported as a conflict.
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
  ];
}
