import type { Mutable } from '../api/index.ts';

/** Freezes plain JSON all the way down, in place. Parts that are frozen already are taken to be so completely. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) deepFreeze(value[key]);
  return value;
}

/** A frozen copy of plain JSON, all the way down. Parts that are frozen already are taken to be so completely, and shared. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item))) as T;
  const copy: Partial<T> = {};
  for (const key in value) copy[key] = frozenCopy(value[key]);
  return Object.freeze(copy) as T;
}

/**
 * A copy of an object that may be changed, for `update` and the like: objects of the cache are frozen and readonly by type.
 *
 * @example
 * const copy = mutableCopy(deployment);
 * copy.spec.replicas = 3;
 */
export function mutableCopy<T>(value: T): Mutable<T> {
  // JSON has no readonly marks: a copy of it is the value without them.
  return structuredClone(value) as Mutable<T>;
}
