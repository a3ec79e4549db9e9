import { compareBytes } from '../../base/util/bytes.ts';
import { isJsonMap } from '../../base/util/json-map.ts';

/** A JSON value as a read-only type. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON value as stored by the API server. Stored objects are never changed in place. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [name: string]: Json;
}

/** Returns true for an object that is neither null nor a list. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: JsonValue | undefined): value is Record<string, JsonValue>;
export function isObject(value: unknown): value is JsonObject;
export function isObject(value: unknown): boolean {
  return isJsonMap(value);
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function clone<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => clone(item)) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clone(item)])) as T;
}

/** Formats a value as JSON like Go's encoder, with sorted fields and with the same escapes. */
export function goJson(value: JsonValue): string {
  return plainJson(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function plainJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(plainJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort(compareBytes);
  return `{${fields.map((name) => `${JSON.stringify(name)}:${plainJson(value[name] ?? null)}`).join(',')}}`;
}

/** Returns true if the API server would decode the number as a 64-bit integer, not as a float. */
export function fitsInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** Formats a number as Go's `%v` prints it. @param isFloat true if Go holds the number as a float, although it may be an integer */
export function goNumber(value: number, isFloat = !fitsInt64(value)): string {
  if (!isFloat) return String(BigInt(value));
  const [, digits = '', sign = '', exponent = ''] = /^(.*)e([+-])(\d+)$/.exec(value.toExponential()) ?? [];
  const size = Number(`${sign}${exponent}`);
  return size >= -4 && size < 6 ? String(value) : `${digits}e${sign}${exponent.padStart(2, '0')}`;
}
