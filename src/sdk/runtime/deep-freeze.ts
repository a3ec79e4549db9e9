import type { Mutable } from '../api/index.ts';

/** Freezes plain JSON deeply, in place. Parts that are already frozen are assumed to be frozen deeply. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) deepFreeze(value[key]);
  return value;
}

/**
 * Freezes plain JSON deeply, in place, and returns the length of its JSON text. Counts a character as one byte, without the backslashes of
 * escapes.
 */
export function freezeAndMeasure(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  Object.freeze(value);
  // The brackets, and a comma for each item but the first.
  let length = 1;
  if (Array.isArray(value)) {
    for (const item of value) length += freezeAndMeasure(item) + 1;
  } else {
    for (const key in value) {
      const item = (value as Record<string, unknown>)[key];
      // A transform may write undefined. Otherwise, the name has quotes and a colon.
      if (item !== undefined) length += key.length + 4 + freezeAndMeasure(item);
    }
  }
  return Math.max(length, 2);
}

/** Returns a deeply frozen copy of plain JSON. Parts that are already frozen are assumed to be frozen deeply, and are shared. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item))) as T;
  const copy: Partial<T> = {};
  for (const key in value) copy[key] = frozenCopy(value[key]);
  return Object.freeze(copy) as T;
}

/**
 * Returns a copy of an object that may be changed, such as for `update`: objects of the cache are frozen and have readonly types.
 *
 * @example
 * const copy = mutableCopy(deployment);
 * copy.spec.replicas = 3;
 */
export function mutableCopy<T>(value: T): Mutable<T> {
  // The copy has the same value; only the readonly modifiers of its type differ.
  return structuredClone(value) as Mutable<T>;
}
