import { isObject, type Json, type JsonObject } from '../resource.ts';

/**
 * Lists whose items are distinguished by fields, in kustomize's reading: values are compared as text (`80` is `"80"`), and a
 * single empty field name means items that are scalars themselves.
 */

/** The text of a scalar; empty for anything else. */
export function textOf(value: Json): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}

/** The values of an item's key fields, `''` for those that it does not have. */
export function keyValuesOf(item: Json, keys: readonly string[]): string[] {
  return keys.map((key) => {
    const value = fieldOf(item, key);
    return value === undefined || value === null ? '' : textOf(value);
  });
}

/** A field of an item that may be no mapping. */
export function fieldOf(item: Json, key: string): Json | undefined {
  return isObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
}

/** The first item with these values. */
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
 * Puts an item in the place of all items with these values, or at the end; without an item those are removed. Items that
 * are empty vanish on the way.
 *
 * @param values one for each key; `''` matches any value. A list that ends early makes the keys behind it match what the
 *   last one matched.
 */
export function setItem(list: Json[], keys: readonly string[], values: readonly string[], item?: Json): void {
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

export function isEmptyMapping(value: Json): value is JsonObject {
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
