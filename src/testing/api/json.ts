import { compareBytes } from '../../base/util/compare-bytes.ts';
export { jsonTextOf } from '../../base/util/json-map.ts';

/** JSON as the server holds it. Objects that are stored are never changed in place. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [name: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one if it is something else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function clone<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => clone(item)) as T;
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [name, item] of Object.entries(value)) copy[name] = clone(item);
  return copy as T;
}

/** Returns true if two values are the same JSON, regardless of the order of fields. */
export function equal(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => equal(item, right[index]));
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equal(left[name], right[name]))
  );
}

/** JSON with sorted fields and the escapes of Go's encoder. */
export function goJson(value: Json): string {
  return plainJson(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function plainJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(plainJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort(compareBytes);
  return `{${fields.map((name) => `${JSON.stringify(name)}:${plainJson(value[name] ?? null)}`).join(',')}}`;
}
