import { compareBytes } from '../../../base/util/bytes.ts';
import { listOf, objectOf, type Json, type JsonObject, FieldSet } from '../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../base/util/json-map.ts';

/** The identity of a manager: its name, and how it wrote its fields. */
export interface ManagerId {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** The version of the write. It identifies updates only: an applier is the same in every version. */
  readonly apiVersion: string;
  readonly subresource: string;
}

/** An entry of `metadata.managedFields`. */
export interface Owner extends ManagerId {
  readonly fields: FieldSet;
  /** RFC 3339, in seconds. */
  readonly time: string | undefined;
}

/** The owners of an object, by their identity. */
type Owners = ReadonlyMap<string, Owner>;

export function ownerKey({ manager, operation, apiVersion, subresource }: ManagerId): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

/** Undefined if the entries cannot be read. */
export function readOwners(managedFields: Json | undefined): Owners | undefined {
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

/** As `metadata.managedFields`; undefined for none. */
export function writeOwners(owners: Owners): Json | undefined {
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

/** Returns true if a request asks to forget all owners: an empty list, or one empty entry. */
export function isReset(managedFields: Json | undefined): boolean {
  const entries = Array.isArray(managedFields) ? managedFields : undefined;
  if (entries === undefined) return false;
  return entries.length === 0 || (entries.length === 1 && Object.keys(objectOf(entries[0])).length === 0);
}
