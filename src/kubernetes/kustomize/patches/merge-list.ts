import { isObject, type Json, type JsonObject } from '../resource.ts';
import { fieldOf, findItem, isEmptyMapping, keyValuesOf, setItem, textOf } from './keyed-list.ts';
import { completeValues, usedKeys } from './key-values.ts';

/** Merges two items; undefined if nothing is left. Both are undefined for an item that neither list has. */
export type MergeItem = (present: Json | undefined, patch: Json | undefined) => Json | undefined;

/**
 * Merges two lists whose items are distinguished by fields, or by themselves, and gives kustomize's order: items of the patch
 * first, whether they are new or not; but where two fields tell them apart, only the new ones.
 *
 * Follows `kyaml/yaml/walk/associative_sequence.go` step by step, for its many corners: duplicates in one list (the last
 * wins), keys that only some items have, and items that become empty (they vanish).
 *
 * @param present changed in place
 * @param patch may be the same list: then its own items are put in order
 * @param keys the key fields; empty for a list of scalars
 */
export function mergeList(
  present: Json[],
  patch: readonly Json[],
  keys: readonly string[],
  mergeItem: MergeItem,
): Json[] {
  const [fields, all] =
    keys.length === 0
      ? [[''], unique([...patch, ...present].map((item) => [textOf(item)]))]
      : [keys, unique([...patch, ...present].map((item) => keyValuesOf(item, keys)))];
  if (fields.length > 1) completeValues(all);

  const merged: Json[] = [];
  let used = { keys: fields, values: [] as readonly string[] };
  for (const values of all) {
    used = usedKeys(all, values, fields);
    const wanted = usedKeys([used.values], used.values, used.keys);
    const item = mergeItem(
      findItem(present, wanted.keys, wanted.values),
      findItem(patch, wanted.keys, wanted.values),
    );
    if (item === undefined || item === null || isEmptyMapping(item)) {
      setItem(present, used.keys, used.values);
      continue;
    }
    if (isObject(item)) addKeys(item, used);
    setItem(merged, used.keys, used.values, item);
  }
  return all.length === 0 ? present : appendItems(merged, present, used.keys);
}

/** Puts the items of one list into another, each in the place of the one with the same keys. */
function appendItems(into: Json[], items: readonly Json[], keys: readonly string[]): Json[] {
  for (const item of items) {
    if (keys[0] === '') {
      setItem(into, keys, [textOf(item)], item);
      continue;
    }
    const values: string[] = [];
    for (const key of keys) {
      const value = fieldOf(item, key);
      if (value === undefined) into.push(item);
      else values.push(textOf(value));
    }
    if (keys.length > 1) setItem(into, keys, values);
    setItem(into, keys, values, item);
  }
  return into;
}

/** Completes an item by the keys that it was found by. */
function addKeys(
  item: JsonObject,
  { keys, values }: { readonly keys: readonly string[]; readonly values: readonly string[] },
): void {
  for (const [index, key] of keys.entries()) {
    const value = values[index] ?? '';
    if (value !== '' && fieldOf(item, key) === undefined) item[key] = scalarOf(value);
  }
}

/** Only numbers and names are keys of built-in types. */
function scalarOf(text: string): Json {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function unique(lists: readonly (readonly string[])[]): (readonly string[])[] {
  const seen = new Set<string>();
  return lists.filter((list) => {
    const key = JSON.stringify(list);
    return !seen.has(key) && seen.add(key);
  });
}
