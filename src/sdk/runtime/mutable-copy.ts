import type { Mutable } from '../api/index.ts';

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
