import { isJsonMap } from '../../../base/util/json-map.ts';
import { mergeLists } from './merge-lists.ts';
import { ownField, isEqualJson, setOwnField } from './json-value.ts';

/**
 * The part of an object that cannot be computed from its converted form: two parts of objects with only the fields that differ. Lists
 * that differ are whole.
 */
export interface Difference {
  /** The value that converting back gives. */
  readonly was: unknown;
  /** The value of the object. */
  readonly is: unknown;
}

/** The fields in which two values differ; undefined if they are equal. */
export function differenceOf(was: unknown, is: unknown): Difference | undefined {
  if (isEqualJson(was, is)) return undefined;
  if (!isJsonMap(was) || !isJsonMap(is)) return { was, is };
  const wasPart: Record<string, unknown> = {};
  const isPart: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const inner = differenceOf(ownField(was, key), ownField(is, key));
    if (inner === undefined) continue;
    if (inner.was !== undefined) setOwnField(wasPart, key, inner.was);
    if (inner.is !== undefined) setOwnField(isPart, key, inner.is);
  }
  return { was: wasPart, is: isPart };
}

/**
 * A merge of three: what a difference kept goes back into a value, where that was not edited meanwhile.
 * `restore(differenceOf(a, b), a)` equals `b`. An edit holds against what was kept at the same place; in objects each field is such a
 * place, in lists each item.
 */
export function restore({ was, is }: Difference, now: unknown): unknown {
  if (isJsonMap(is) && isJsonMap(now) && (isJsonMap(was) || was === undefined)) {
    const base = was ?? {};
    const result: Record<string, unknown> = {};
    for (const key of new Set([...Object.keys(now), ...Object.keys(is)])) {
      const known = Object.hasOwn(base, key) || Object.hasOwn(is, key);
      const value = ownField(now, key);
      const merged = known ? restore({ was: ownField(base, key), is: ownField(is, key) }, value) : value;
      if (merged !== undefined) setOwnField(result, key, merged);
    }
    return result;
  }
  if (isEqualJson(now, was)) return is;
  if (Array.isArray(is) && Array.isArray(now) && (Array.isArray(was) || was === undefined))
    return mergeLists({ was: was ?? [], is, now }, restoreItem);
  return now;
}

/** Items are whole, so that a field which only `now` lacks has been removed. */
const restoreItem = (was: unknown, is: unknown, now: unknown): unknown =>
  restore(differenceOf(was, is) ?? { was: {}, is: {} }, now);
