/** A JSON object with unknown fields. */
export type JsonMap = Readonly<Record<string, unknown>>;

/** Returns true if a value is a JSON object: not a list, not null. */
export function isJsonMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a JSON object, else an empty object. For input that has been checked before. */
export function jsonMapOf(value: unknown): JsonMap {
  return isJsonMap(value) ? value : {};
}

/** Returns the value if it is a list, else an empty list. */
export function jsonListOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Returns the value if it is text, else `''`. */
export function jsonTextOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns an own field of an object, never one of its prototype. */
export function ownField<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a field, even one named `__proto__`, for which an assignment would set the prototype. */
export function setOwnField(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/**
 * Returns true if two JSON values are equal, regardless of the order of keys.
 * @param a value without fields that are `undefined`, as `jsonCopy` returns it
 * @param b value without fields that are `undefined`
 */
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

/** Compares two texts by UTF-16 code units, so that the order is the same on every machine. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Serialises a JSON value so that equal values give equal text: keys are sorted at every depth, lists keep their order.
 * @returns the text `undefined` for undefined
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonMap(value)) return JSON.stringify(value) ?? 'undefined';
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort(compareCodeUnits);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

/** Returns the same value with sorted keys in all objects, so that equal values are serialised to equal text. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort(compareCodeUnits)
      .map((key) => [key, sortKeys(value[key])]),
  );
}

/** Returns a text as it is and a number as text; returns `''` for everything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
