import { isDeepStrictEqual } from 'node:util';
import { isJsonMap, jsonMapOf, ownField } from '../../../base/util/json-map.ts';
import type { KubeObject } from '../../api/index.ts';
import { hasKeys } from '../cache/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the status that a field manager has to apply so that the change is merged into what it owns: its own fields of the present
 * status, with the change. Fields of other managers are left out, because they stay as they are.
 *
 * @param object the object as the server has it, with its managed fields
 * @param change fields to set; null removes a field. Items of a map list are matched by their keys, other lists are replaced
 */
export function mergedStatus(object: KubeObject, manager: string, change: unknown): Fields {
  const { apiVersion, metadata, status = {} } = object as KubeObject & { readonly status?: unknown };
  const entries = (metadata.managedFields ?? []).filter(({ subresource }) => subresource === 'status');
  const own = entries.find((entry) => entry.manager === manager && entry.operation === 'Apply');
  if (own === undefined) return merge({}, change, {}) as Fields;
  const fields = statusFields(own);
  const others = entries.filter((entry) => entry !== own).map(statusFields);
  // Fields of another version of the API may have other names here, so all that belongs to nobody else is kept then.
  const kept =
    own.apiVersion === apiVersion ? ownPart(status, fields, others) : others.reduce(without, status);
  return merge(kept, change, fields) as Fields;
}

/** Returns true if a status has the values of a change already. Conditions are matched by their type, other lists are compared whole. */
export function isMerged(change: unknown, value: unknown, name = ''): boolean {
  if (change === undefined) return true;
  if (change === null) return value === undefined || value === null;
  if (name === 'conditions' && Array.isArray(change) && Array.isArray(value)) {
    return change.every((item: unknown) => {
      const present: unknown = value.find((each: unknown) => typeOf(each) === typeOf(item));
      return typeOf(item) !== undefined && isMerged(item, present);
    });
  }
  if (!isJsonMap(change)) return isDeepStrictEqual(change, value);
  return (
    isJsonMap(value) &&
    Object.entries(change).every(([key, part]) => isMerged(part, ownField(value, key), key))
  );
}

function statusFields({ fieldsV1 }: { readonly fieldsV1?: unknown }): Fields {
  return childOf(jsonMapOf(fieldsV1), 'f:status');
}

/**
 * Returns the parts of a value that an entry of `fieldsV1` names. Source: structured-merge-diff `fieldpath`.
 *
 * @param others entries of other managers
 */
function ownPart(value: unknown, fields: Fields, others: readonly Fields[]): unknown {
  // A map or list without parts is one value, or was sent empty while others own parts of it.
  if (isLeaf(fields) && others.every(isLeaf)) return value;
  const partOf = (part: unknown, step: string): unknown =>
    ownPart(
      part,
      childOf(fields, step),
      others.map((other) => childOf(other, step)),
    );
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown): unknown[] => {
      const step = stepOf(item, fields);
      return step === undefined ? [] : [partOf(item, step)];
    });
  }
  if (!isJsonMap(value)) return value;
  const owned = Object.entries(value).filter(([key]) => Object.hasOwn(fields, `f:${key}`));
  return Object.fromEntries(owned.map(([key, part]) => [key, partOf(part, `f:${key}`)]));
}

/** Returns a value without the parts that an entry of `fieldsV1` names. */
function without(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.filter((item) => stepOf(item, fields) === undefined);
  if (!isJsonMap(value)) return value;
  const kept = Object.entries(value).flatMap(([key, part]) => {
    if (!Object.hasOwn(fields, `f:${key}`)) return [[key, part]];
    const inner = childOf(fields, `f:${key}`);
    return isLeaf(inner) ? [] : [[key, without(part, inner)]];
  });
  return Object.fromEntries(kept);
}

/** Merges a change into a value. @param fields names the items of map lists */
function merge(value: unknown, change: unknown, fields: Fields): unknown {
  if (change === undefined) return value;
  if (Array.isArray(change)) return Array.isArray(value) ? mergeItems(value, change, fields) : change;
  if (!isJsonMap(change)) return change;
  const merged: Record<string, unknown> = isJsonMap(value) ? { ...value } : {};
  for (const [key, part] of Object.entries(change)) {
    if (part === null) delete merged[key];
    else merged[key] = merge(ownField(merged, key), part, childOf(fields, `f:${key}`));
  }
  return merged;
}

function mergeItems(
  value: readonly unknown[],
  change: readonly unknown[],
  fields: Fields,
): readonly unknown[] {
  const steps = Object.keys(fields).filter((step) => step.startsWith('k:'));
  const [first] = steps;
  if (first === undefined) return change;
  const keys = Object.keys(JSON.parse(first.slice(2)) as object);
  const isSame = (one: unknown, other: unknown): boolean =>
    isJsonMap(one) && isJsonMap(other) && keys.every((key) => one[key] === other[key]);
  const kept = value.map((item) => {
    const part = change.find((each) => isSame(each, item));
    return part === undefined ? item : merge(item, part, childOf(fields, stepOf(item, fields) ?? ''));
  });
  return [...kept, ...change.filter((item) => !value.some((each) => isSame(each, item)))];
}

/** Returns the step of `fieldsV1` that leads to an item of a list: by the item's keys, or by its value in a set. */
function stepOf(item: unknown, fields: Fields): string | undefined {
  return Object.keys(fields).find(
    (step) =>
      (step.startsWith('k:') && hasKeys(item, step.slice(2))) ||
      (step.startsWith('v:') && isDeepStrictEqual(JSON.parse(step.slice(2)), item)),
  );
}

function childOf(fields: Fields, step: string): Fields {
  return jsonMapOf(ownField(fields, step));
}

/** Returns true if an entry covers a field without entries for its parts. */
function isLeaf(fields: Fields): boolean {
  return Object.keys(fields).every((step) => step === '.');
}

function typeOf(condition: unknown): unknown {
  return jsonMapOf(condition)['type'];
}
