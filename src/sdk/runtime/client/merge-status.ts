import { isDeepStrictEqual } from 'node:util';
import { isJsonMap, jsonMapOf, ownField, setOwnField, type JsonMap } from '../../../base/util/json-map.ts';
import type { KubeObject } from '../../api/index.ts';
import { hasKeys } from '../cache/sent-fields.ts';

type Fields = JsonMap;

/** A request that brings a status closer to a change. */
export type StatusStep =
  | { readonly type: 'apply'; readonly status: Fields }
  /** A merge patch that removes fields. */
  | { readonly type: 'remove'; readonly status: Fields };

/**
 * Returns the next request that merges a change into the fields of a status that a field manager owns; undefined if no request is needed.
 * Usually applies the manager's own fields of the present status, with the change. Fields of other managers are left out, because they stay
 * as they are.
 *
 * Two cases need a merge patch that removes fields, of which no other manager owns a part: fields that this manager has written by other
 * requests than apply, such as `updateStatus`, and all that is left of a status, which an apply would make null.
 *
 * @param object the object as the server has it, with its managed fields
 * @param change fields to set; null removes a field. Items of a map list are matched by their keys, other lists are replaced
 */
export function nextStep(object: KubeObject, manager: string, change: unknown): StatusStep | undefined {
  const { apiVersion, metadata, status: present } = object as KubeObject & { readonly status?: unknown };
  const status = present ?? {};
  const entries = (metadata.managedFields ?? []).filter(({ subresource }) => subresource === 'status');
  const own = entries.find((entry) => entry.manager === manager && entry.operation === 'Apply');
  const updated = entries.filter((entry) => entry.manager === manager && entry !== own).map(statusFields);
  const foreign = entries.filter((entry) => entry.manager !== manager).map(statusFields);
  const removed = updated.map((each) => nulls(change, status, each, foreign)).find((each) => !isEmpty(each));
  if (removed !== undefined) return { type: 'remove', status: removed };
  const fields = own === undefined ? {} : statusFields(own);
  const others = [...updated, ...foreign];
  // Fields of another version of the API may have other names here, so all that belongs to nobody else is kept then.
  const isSameVersion = own === undefined || own.apiVersion === apiVersion;
  const kept = isSameVersion ? ownPart(status, fields, others) : others.reduce(without, status);
  const merged = merge(isLeaf(fields) ? {} : kept, change, fields) as Fields;
  if (!isEmpty(merged)) return { type: 'apply', status: merged };
  if (isLeaf(fields)) return undefined;
  if (!others.every(isLeaf)) return { type: 'apply', status: {} };
  const all = nulls(nulled(status), status, fields, []);
  return isEmpty(all) ? undefined : { type: 'remove', status: all };
}

/** Returns true if a status has the values of a change already. Conditions are matched by their type, other lists are compared whole. */
export function isMerged(change: unknown, status: unknown): boolean {
  const present = jsonMapOf(status);
  return Object.entries(jsonMapOf(change)).every(([key, part]) => {
    const value = ownField(present, key);
    // Only these conditions are known to be a map list.
    if (key !== 'conditions' || !Array.isArray(part) || !Array.isArray(value)) return hasValue(value, part);
    return part.every((item: unknown) => {
      const same: unknown = value.find((each: unknown) => typeOf(each) === typeOf(item));
      return typeOf(item) !== undefined && hasValue(same, item);
    });
  });
}

function hasValue(value: unknown, change: unknown): boolean {
  if (change === undefined) return true;
  if (change === null) return value === undefined || value === null;
  if (!isJsonMap(change)) return isDeepStrictEqual(change, value);
  if (!isJsonMap(value)) return false;
  return Object.entries(change).every(([key, part]) => hasValue(ownField(value, key), part));
}

/** Returns the removals of a change that concern fields of one manager, of which no other manager owns a part. */
function nulls(change: unknown, value: unknown, fields: Fields, foreign: readonly Fields[]): Fields {
  const found: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(jsonMapOf(change))) {
    const step = `f:${key}`;
    const present = ownField(jsonMapOf(value), key);
    if (present === undefined || !Object.hasOwn(fields, step)) continue;
    if (part === null && !foreign.some((other) => Object.hasOwn(other, step))) setOwnField(found, key, null);
    if (!isJsonMap(part)) continue;
    const inner = nulls(
      part,
      present,
      childOf(fields, step),
      foreign.map((other) => childOf(other, step)),
    );
    if (!isEmpty(inner)) setOwnField(found, key, inner);
  }
  return found;
}

/** Returns the change that removes every field of a status. */
function nulled(status: unknown): Fields {
  return Object.fromEntries(Object.keys(jsonMapOf(status)).map((key) => [key, null]));
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
      if (step === undefined) return [];
      const part = partOf(item, step);
      if (isJsonMap(part) && isJsonMap(item)) wholes.set(part, item);
      return [part];
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

/** Merges a change into a value. @param fields names the items of lists */
function merge(value: unknown, change: unknown, fields: Fields): unknown {
  if (change === undefined) return value;
  if (Array.isArray(change)) return Array.isArray(value) ? mergeItems(value, change, fields) : change;
  if (!isJsonMap(change)) return change;
  const merged: Record<string, unknown> = isJsonMap(value) ? { ...value } : {};
  for (const [key, part] of Object.entries(change)) {
    if (part === undefined) continue;
    const inner = childOf(fields, `f:${key}`);
    const next = part === null ? undefined : merge(ownField(merged, key), part, inner);
    if (next === undefined || isEmptied(next, part, inner)) delete merged[key];
    else setOwnField(merged, key, next);
  }
  return merged;
}

/**
 * Returns true for a map or a set that a change has made empty. It is not sent, because an apply that takes the last part out of a map or
 * set makes it null, which the server refuses.
 */
function isEmptied(value: unknown, change: unknown, fields: Fields): boolean {
  if (Array.isArray(value))
    return value.length === 0 && Object.keys(fields).some((step) => step.startsWith('v:'));
  return (
    isJsonMap(value) && isEmpty(value) && Object.values(jsonMapOf(change)).some((part) => part !== undefined)
  );
}

function mergeItems(
  value: readonly unknown[],
  change: readonly unknown[],
  fields: Fields,
): readonly unknown[] {
  const [first] = Object.keys(fields).filter((step) => step.startsWith('k:'));
  if (first === undefined) return change;
  const keys = Object.keys(jsonMapOf(JSON.parse(first.slice(2))));
  // A key that was not sent has its default, which only the whole item shows.
  const isSame = (item: unknown, each: unknown): boolean =>
    isJsonMap(item) &&
    isJsonMap(each) &&
    keys.every((key) => (each[key] === undefined ? item : wholeOf(item))[key] === each[key]);
  const kept = value.map((item) => {
    const part = change.find((each) => isSame(item, each));
    if (part === undefined || !isJsonMap(item)) return item;
    return merge(item, part, childOf(fields, stepOf(wholeOf(item), fields) ?? ''));
  });
  return [...kept, ...change.filter((each) => !value.some((item) => isSame(item, each)))];
}

/** Items of lists as the server has them, by the part of each that one manager owns. */
const wholes = new WeakMap<object, JsonMap>();

function wholeOf(item: JsonMap): JsonMap {
  return wholes.get(item) ?? item;
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

function isEmpty(value: Fields): boolean {
  return Object.keys(value).length === 0;
}

function typeOf(condition: unknown): unknown {
  return jsonMapOf(condition)['type'];
}
