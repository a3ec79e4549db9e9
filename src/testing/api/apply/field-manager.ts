import { isEqualJson, jsonTextOf } from '../../../base/util/json-map.ts';
import {
  isObject,
  objectOf,
  type Json,
  type JsonObject,
  type Schema,
  FieldSet,
  fieldPathText,
  type Step,
  listOf,
} from '../../../kubernetes/objects/index.ts';
import { badRequest, internalError, StatusError } from '../status-error.ts';
import {
  compare,
  fieldsOf,
  merge,
  removeFields,
  typedErrors,
  withNamedFields,
  type Comparison,
} from './typed.ts';
import { compareBytes } from '../../../base/util/bytes.ts';

/** The properties of a write from which field ownership is computed. */
export interface FieldWrite {
  readonly schema: Schema;
  readonly apiVersion: string;
  readonly manager: string;
  readonly subresource: string;
  /** Fields that this endpoint does not write, so that a write through it gives no manager ownership of them. */
  readonly ignored: FieldSet;
  /** Current time in RFC 3339 format, in seconds. */
  readonly now: string;
  /** JSON that Go writes for an empty object of a built-in kind. */
  readonly empty?: JsonObject | undefined;
}

/** Fields that never have an owner. Source: apimachinery `stripmeta.go`. */
const ownerless = FieldSet.of(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name): readonly Step[] => ['f:metadata', `f:${name}`]),
);

const mostUpdaters = 10;

/**
 * Returns the written object with updated `managedFields`; `live` is empty for a new object. Source: apimachinery `FieldManager.Update`.
 */
export function trackUpdate(live: JsonObject, written: JsonObject, write: FieldWrite): JsonObject {
  const requested = objectOf(written['metadata'])['managedFields'];
  const stored = readOwners(objectOf(live['metadata'])['managedFields']) ?? new Map<string, Owner>();
  const given = isReset(requested) ? new Map<string, Owner>() : readOwners(requested);
  const takesStored =
    write.subresource !== '' || ((given === undefined || given.size === 0) && !isReset(requested));
  const owners = new Map(takesStored ? stored : given);
  const object = withoutOwners(written);
  const bare = withoutOwners(live);
  const isNew = objectOf(live['metadata'])['uid'] === undefined;
  // After a request to reset the owners, the object has none until the next apply.
  if (owners.size === 0 && !isNew) return object;
  // The owners stay as they are if an object does not match the types of its schema.
  const isTyped = [bare, object].every((each) => typedErrors(each, write.schema, true).length === 0);
  return withOwners(object, isTyped ? updated(bare, object, owners, write) : owners);
}

function updated(
  live: JsonObject,
  object: JsonObject,
  owners: Map<string, Owner>,
  write: FieldWrite,
): ReadonlyMap<string, Owner> {
  const { schema, ignored, now } = write;
  const id: ManagerId = { ...write, operation: 'Update' };
  const key = ownerKey(id);
  const changes = without(compare(live, object, schema), ignored);
  takeFrom(owners, changes, '', true);
  const taken = changes.modified.union(changes.added).difference(ownerless);
  if (!taken.isEmpty) {
    const before = owners.get(key)?.fields ?? new FieldSet();
    owners.set(key, { ...id, fields: before.union(taken), time: now });
  }
  return capped(owners);
}

/**
 * Limits the managers that write by updates to {@link mostUpdaters}: merges the oldest ones into one manager for each API version. Source:
 * apimachinery `capmanagers.go`.
 */
function capped(owners: Map<string, Owner>): ReadonlyMap<string, Owner> {
  const updaters = [...owners.entries()]
    .filter(([, { operation }]) => operation === 'Update')
    .sort(([leftKey, left], [rightKey, right]) => {
      const age = Date.parse(left.time ?? '') - Date.parse(right.time ?? '');
      return age === 0 ? (leftKey < rightKey ? -1 : 1) : age;
    });
  const firstOf = new Map<string, string>();
  for (let count = updaters.length, index = 0; count > mostUpdaters && index < updaters.length; index += 1) {
    const [key, owner] = updaters[index] ?? [];
    if (key === undefined || owner === undefined) break;
    const first = firstOf.get(owner.apiVersion);
    if (first === undefined) {
      firstOf.set(owner.apiVersion, key);
      continue;
    }
    const bucketId: ManagerId = {
      manager: 'ancient-changes',
      operation: 'Update',
      apiVersion: owner.apiVersion,
      subresource: '',
    };
    const bucketKey = ownerKey(bucketId);
    const before = owners.get(bucketKey) ?? owners.get(first);
    if (!owners.has(bucketKey)) owners.delete(first);
    owners.set(bucketKey, {
      ...bucketId,
      fields: owner.fields.union(before?.fields ?? new FieldSet()),
      time: owner.time,
    });
    owners.delete(key);
    count -= 1;
  }
  return owners;
}

/**
 * Returns the live object with an applied object merged into it. Fields that the manager applied before and no longer applies are removed.
 *
 * @throws StatusError 409 with all conflicts, 500 for fields that the schema does not define
 */
export function applyFields(
  live: JsonObject,
  applied: JsonObject,
  force: boolean,
  write: FieldWrite,
): JsonObject {
  const { schema, apiVersion } = write;
  if (applied['apiVersion'] !== apiVersion || applied['kind'] !== live['kind'])
    throw badRequest(`invalid object type: ${typeText(applied)}`);
  if (objectOf(applied['metadata'])['managedFields'] !== undefined)
    throw badRequest('metadata.managedFields must be nil');
  const errors = typedErrors(applied, schema);
  if (errors.length > 0) throw untypable(applied, 'patch', errors);
  const bare = withoutOwners(live);
  const liveErrors = typedErrors(bare, schema, true);

  const owners = new Map(readOwners(objectOf(live['metadata'])['managedFields']) ?? []);
  const isNew = objectOf(live['metadata'])['uid'] === undefined;
  const isFirst = owners.size === 0 && !isNew;
  if (liveErrors.length > 0) throw untypable(bare, isFirst ? 'first' : 'live', liveErrors);
  if (isFirst) {
    const first: FieldWrite = { ...write, manager: 'before-first-apply' };
    const type = { ...write.empty, apiVersion: live['apiVersion'] ?? '', kind: live['kind'] ?? '' };
    for (const [key, owner] of updated(type, bare, owners, first)) owners.set(key, owner);
  }
  const id: ManagerId = { ...write, operation: 'Apply' };
  const key = ownerKey(id);
  const last = owners.get(key)?.fields;
  const merged = objectOf(merge(bare, applied, schema));
  const own: Owner = {
    ...id,
    fields: fieldsOf(applied, schema).without(write.ignored),
    time: owners.get(key)?.time,
  };
  owners.set(key, own);
  const pruned = last === undefined || last.isEmpty ? merged : prune(merged, last, owners, schema);
  takeFrom(owners, without(compare(bare, pruned, schema), write.ignored), key, force);
  const kept = own.fields.difference(ownerless);
  const isChanged = !isEqualJson(bare, pruned);
  if (kept.isEmpty) owners.delete(key);
  else owners.set(key, { ...own, fields: kept, time: isChanged ? write.now : own.time });
  return withOwners(isChanged ? pruned : bare, owners);
}

/**
 * Removes fields that were applied before and are no longer applied, unless another manager owns them. Source: structured-merge-diff
 * `merge/update.go`, `prune`.
 */
function prune(
  merged: JsonObject,
  last: FieldSet,
  owners: ReadonlyMap<string, Owner>,
  schema: Schema,
): JsonObject {
  const named = (set: FieldSet): FieldSet => withNamedFields(set, schema);
  const all = named(fieldsOf(merged, schema));
  const remaining = (toRemove: FieldSet): JsonObject => objectOf(removeFields(merged, toRemove, schema));
  const owned = [...owners.values()].reduce((set, { fields }) => set.union(fields), new FieldSet());
  const first = named(fieldsOf(remaining(named(last)), schema));
  const second = named(fieldsOf(remaining(all.difference(first.union(named(owned)))), schema));
  return remaining(all.difference(second).intersection(named(last)));
}

/**
 * Removes the changed fields from all other managers that own them.
 * @throws StatusError 409 if other managers own changed fields, unless `force` is true
 */
function takeFrom(
  owners: Map<string, Owner>,
  { added, modified, removed }: Comparison,
  self: string,
  force: boolean,
): void {
  const changed = modified.union(added);
  const conflicts = [...owners.entries()]
    .filter(([key]) => key !== self)
    .map(([key, owner]) => ({ key, owner, fields: owner.fields.intersection(changed) }));
  const lost = conflicts.filter(({ fields }) => !fields.isEmpty);
  if (!force && lost.length > 0) throw applyConflict(lost);
  for (const { key, owner, fields } of conflicts) {
    const left = owner.fields.difference(fields).difference(removed);
    if (left.isEmpty) owners.delete(key);
    else owners.set(key, { ...owner, fields: left });
  }
}

function without({ added, modified, removed }: Comparison, ignored: FieldSet): Comparison {
  return {
    added: added.without(ignored),
    modified: modified.without(ignored),
    removed: removed.without(ignored),
  };
}

/** Creates the error 409 for changed fields that other managers own. Source: apimachinery `managedfields/internal/conflict.go`. */
function applyConflict(lost: readonly { readonly owner: Owner; readonly fields: FieldSet }[]): StatusError {
  const conflicts = lost.flatMap(({ owner, fields }) =>
    fields.paths().map((path) => ({ manager: managerText(owner), path: fieldPathText(path) })),
  );
  const [first] = conflicts;
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].sort();
  const groups = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...conflicts.filter((each) => each.manager === manager).map(({ path }) => `- ${path}`),
  ]);
  const message =
    conflicts.length === 1
      ? `Apply failed with 1 conflict: conflict with ${first?.manager ?? ''}: ${first?.path ?? ''}`
      : `Apply failed with ${conflicts.length} conflicts: ${groups.join('\n')}`;
  return new StatusError(409, 'Conflict', message, {
    causes: conflicts.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${manager}`,
      field: path,
    })),
  });
}

function managerText({ manager, subresource, operation, apiVersion }: Owner): string {
  const name =
    JSON.stringify(manager) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

function untypable(
  object: JsonObject,
  what: 'patch' | 'live' | 'first',
  errors: readonly string[],
): StatusError {
  const { name, namespace } = objectOf(object['metadata']);
  const [first = ''] = errors;
  const all = errors.length === 1 ? first : `errors:\n${errors.map((error) => `  ${error}`).join('\n')}`;
  const which = `(${jsonTextOf(namespace)}/${jsonTextOf(name)}; ${typeText(object)})`;
  return internalError(
    what === 'first'
      ? `failed to create manager for existing fields: failed to convert new object ${which} to smd typed: ${all}`
      : `failed to create typed ${what} object ${which}: ${all}`,
  );
}

function typeText({ apiVersion, kind }: JsonObject): string {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  return `${version.includes('/') ? version : `/${version}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

function withoutOwners(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function withOwners(object: JsonObject, owners: ReadonlyMap<string, Owner>): JsonObject {
  const managedFields: Json | undefined = writeOwners(owners);
  if (managedFields === undefined) return object;
  return { ...object, metadata: { ...objectOf(object['metadata']), managedFields } };
}

/** The identity of a manager: its name and the kind of its writes. */
interface ManagerId {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** API version of the write. It is part of the identity only for updates, because an applier is the same manager in every version. */
  readonly apiVersion: string;
  readonly subresource: string;
}

/** An entry of `metadata.managedFields`. */
interface Owner extends ManagerId {
  readonly fields: FieldSet;
  /** Time of the entry in RFC 3339 format, in seconds. */
  readonly time: string | undefined;
}

/** Owners of an object's fields. The key is the owner's identity, see `ownerKey`. */
type Owners = ReadonlyMap<string, Owner>;

function ownerKey({ manager, operation, apiVersion, subresource }: ManagerId): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

/** Parses `managedFields`; returns undefined if an entry cannot be read. */
function readOwners(managedFields: Json | undefined): Owners | undefined {
  const owners = new Map<string, Owner>();
  for (const entry of listOf(managedFields).map(objectOf)) {
    const { operation, apiVersion, fieldsType, fieldsV1, time } = entry;
    if (operation !== 'Apply' && operation !== 'Update') return undefined;
    if (jsonTextOf(apiVersion) === '' || fieldsType !== 'FieldsV1') return undefined;
    const owner: Owner = {
      manager: jsonTextOf(entry['manager']),
      operation,
      apiVersion: jsonTextOf(apiVersion),
      subresource: jsonTextOf(entry['subresource']),
      fields: FieldSet.fromJson(fieldsV1),
      time: typeof time === 'string' ? time : undefined,
    };
    owners.set(ownerKey(owner), owner);
  }
  return owners;
}

/** Formats the owners as `metadata.managedFields`; undefined without owners. */
function writeOwners(owners: Owners): Json | undefined {
  if (owners.size === 0) return undefined;
  return [...owners.values()].sort(compareOwners).map((owner): JsonObject => {
    const { manager, operation, apiVersion, fields, time, subresource } = owner;
    return {
      manager,
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: fields.toJson(),
      ...(subresource === '' ? {} : { subresource }),
    };
  });
}

function compareOwners(left: Owner, right: Owner): number {
  return (
    compareBytes(left.operation, right.operation) ||
    Date.parse(left.time ?? '') - Date.parse(right.time ?? '') ||
    compareBytes(left.manager, right.manager) ||
    compareBytes(left.apiVersion, right.apiVersion) ||
    compareBytes(left.subresource, right.subresource)
  );
}

/** Returns true if a request resets all owners, that is, if `managedFields` is an empty list or contains only one empty entry. */
function isReset(managedFields: Json | undefined): boolean {
  const entries = Array.isArray(managedFields) ? managedFields : undefined;
  if (entries === undefined) return false;
  return entries.length === 0 || (entries.length === 1 && Object.keys(objectOf(entries[0])).length === 0);
}
