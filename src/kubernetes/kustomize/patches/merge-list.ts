import { isObject, type Json, type JsonObject } from '../../objects/index.ts';

/**
 * Merges an item of the present list with the matching item of the patch. An argument is undefined if its list does not contain the item;
 * both may be undefined. Returns undefined if the merged item is empty.
 */
type MergeItem = (present: Json | undefined, patch: Json | undefined) => Json | undefined;

/**
 * Merges two lists whose items are identified by key fields or by their values. As in kustomize, all items of the patch come first, even if
 * the present list has them already. If two key fields identify the items, only new items come first.
 *
 * Follows `kyaml/yaml/walk/associative_sequence.go` step by step, because of its many edge cases: duplicates in one list (the last one is
 * used), keys that only some items have, and items that become empty (they are removed).
 *
 * @param present changed in place
 * @param patch may be the same list as `present`; then the items of `present` are sorted
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

/** Inserts the items of a list into another list. An item replaces the item with the same keys, or else is appended at the end. */
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

/** Adds missing key fields to an item, with the values by which the item was found. */
function addKeys(
  item: JsonObject,
  { keys, values }: { readonly keys: readonly string[]; readonly values: readonly string[] },
): void {
  for (const [index, key] of keys.entries()) {
    const value = values[index] ?? '';
    if (value !== '' && fieldOf(item, key) === undefined) item[key] = scalarOf(value);
  }
}

/**
 * Converts the text of a key value to a number if it consists of digits. In built-in types, the value of a merge key is always a number or
 * a name.
 */
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

/**
 * The following functions select the key fields by which items are identified. For example, the ports of a Service are identified by port
 * and protocol, but the protocol may be omitted. Then kustomize uses only the keys that are present.
 */

/** Returns the keys that at least one item has, with the values of the current item for these keys. */
function usedKeys(
  all: readonly (readonly string[])[],
  values: readonly string[],
  keys: readonly string[],
): { readonly keys: readonly string[]; readonly values: readonly string[] } {
  const used = new Set(keys.filter((_key, index) => all.some((other) => (other[index] ?? '') !== '')));
  if (used.size === 0) return { keys, values };
  return {
    keys: keys.filter((key) => used.has(key)),
    values: values.filter((value, index) => value !== '' || used.has(keys[index] ?? '')),
  };
}

/**
 * Fills in missing key values of items in place. This is needed because an item with only a port is the same as the item with this port and
 * a protocol.
 */
function completeValues(all: (readonly string[])[]): void {
  for (let i = 0; i < all.length; i++) {
    const values = all[i] ?? [];
    for (let j = 0; j < all.length; j++) {
      const completed = combined(values, all[j] ?? []);
      if (completed === undefined) continue;
      all[i] = completed;
      all[j] = completed;
    }
  }
}

/**
 * Combines the key values of two items, and uses the non-empty value for each key. Returns undefined if the items have no equal value, or
 * different non-empty values for a key.
 */
function combined(one: readonly string[], other: readonly string[]): readonly string[] | undefined {
  const clash = one.some((value, index) => value !== other[index] && value !== '' && other[index] !== '');
  if (clash || !one.some((value, index) => value === other[index])) return undefined;
  return one.map((value, index) => (value === '' ? (other[index] ?? '') : value));
}

/**
 * The following functions read lists whose items are identified by key fields, in the same way as kustomize. Values are compared as text,
 * so `80` equals `"80"`. A list of keys that consists of one empty name means that the items are scalars.
 */

/** Returns the text of a scalar; `''` for a list or mapping. */
function textOf(value: Json): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}

/** Returns the values of the key fields of an item, with `''` for each key field that the item lacks. */
function keyValuesOf(item: Json, keys: readonly string[]): string[] {
  return keys.map((key) => {
    const value = fieldOf(item, key);
    return value === undefined || value === null ? '' : textOf(value);
  });
}

/** Returns a field of a list item; undefined if the item is not a mapping or lacks the field. */
export function fieldOf(item: Json, key: string): Json | undefined {
  return isObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
}

/** Returns the first item whose keys have the given values. */
export function findItem(
  list: readonly Json[],
  keys: readonly string[],
  values: readonly string[],
): Json | undefined {
  if (keys[0] === '') return list.find((item) => textOf(item) === values[0]);
  return list.find(
    (item) =>
      isObject(item) &&
      keys.every((key, index) => {
        const value = fieldOf(item, key);
        return value !== undefined && textOf(value) === values[index];
      }),
  );
}

/**
 * Replaces all items whose keys have the given values by a new item, or appends the new item if none matches. If `item` is omitted, removes
 * the matching items. Also removes empty items.
 *
 * @param values one value for each key; `''` matches any value. If the list of values is shorter than `keys`, the remaining keys match any
 * value
 */
function setItem(list: Json[], keys: readonly string[], values: readonly string[], item?: Json): void {
  const kept: Json[] = [];
  let found = false;
  for (const present of list) {
    if (present === null || isEmptyMapping(present)) continue;
    if (!hasKeys(present, keys, values)) kept.push(present);
    else {
      found = true;
      if (item !== undefined) kept.push(item);
    }
  }
  if (!found && item !== undefined) kept.push(item);
  list.splice(0, list.length, ...kept);
}

function isEmptyMapping(value: Json): value is JsonObject {
  return isObject(value) && Object.keys(value).length === 0;
}

function hasKeys(item: Json, keys: readonly string[], values: readonly string[]): boolean {
  if (keys[0] === '') return textOf(item) === values[0];
  return keys.every((key, index) => {
    if (index >= values.length) return true;
    const value = fieldOf(item, key);
    return value !== undefined && (values[index] === '' || textOf(value) === values[index]);
  });
}

/** Path of a part of a patch: field names and list indices. */
export type PatchPath = readonly (string | number)[];

/** Reports that a part of a patch cannot be merged. Merging continues with the other parts. */
export type ReportProblem = (path: PatchPath, message: string, fix: string) => void;

/** Describes a value in messages: `a list`, `a mapping`, or a scalar as JSON. */
export function shapeOf(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a mapping' : JSON.stringify(value);
}
