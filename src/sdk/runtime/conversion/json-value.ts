import { isUnsafeInteger } from '../../kube/index.ts';
import { isJsonMap, type JsonMap } from '../../../base/util/json-map.ts';

/** Sets a field, also one named `__proto__`, which an assignment would take for the prototype. */
export function setOwnField(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** The field of that name, never what the prototype has. */
export function ownField(object: JsonMap, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns true if two JSON values are equal; the order of keys does not count. @param a without fields that are `undefined`, as `jsonCopy` gives it, and so `b` */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqualJson(item, b[index]));
  if (!isJsonMap(a) || !isJsonMap(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqualJson(a[key], b[key]))
  );
}

/**
 * A copy of a value as JSON would carry it: fields that are `undefined` are left out.
 *
 * @throws TypeError that names the place of what JSON cannot carry: functions, dates, NaN, integers beyond 2^53-1, an undefined item of a list
 */
export function jsonCopy(value: unknown, path = ''): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value) && !isUnsafeInteger(value)) return value;
  if (Array.isArray(value))
    return Array.from(value, (item: unknown, index) => jsonCopy(item, `${path}[${index}]`));
  if (typeof value === 'object' && isPlain(value)) {
    const copy: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(value))
      if (field !== undefined) setOwnField(copy, key, jsonCopy(field, `${path}.${key}`));
    return copy;
  }
  throw new TypeError(
    `${path === '' ? 'the result' : path}: ${typeof value === 'number' ? 'expected a number, an integer within ±(2^53-1),' : 'expected JSON,'} got ${nameOf(value)}`,
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm (a test runner's, for example) has that realm's prototype, whose own prototype is null.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    if (typeof (value as { then?: unknown }).then === 'function') return 'a promise';
    return `an object of class ${(value.constructor as { name?: string } | undefined)?.name ?? 'unknown'}`;
  }
  return typeof value === 'number' ? String(value) : typeof value;
}
