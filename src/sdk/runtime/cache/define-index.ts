import type { KubeObject, Resource, Stored } from '../../api/index.ts';

declare const indexKey: unique symbol;

/**
 * A way to find the objects of a kind in the cache without looking at all of them. Made by {@link defineIndex}; kept up to date once a
 * controller names it in `indexes`.
 */
export interface Index<T extends KubeObject = KubeObject, K extends string = string> {
  /** The kind whose objects are found. */
  readonly resource: Resource<T>;
  /** In messages; unique among the indexes of the kind. */
  readonly name: string;
  /** The keys under which an object is found. */
  keysOf(object: Stored<T>): readonly K[] | K | undefined;
  /** Only for the type checker: the type of the keys. */
  readonly [indexKey]?: K;
}

/**
 * Declares an index: which keys an object of the kind is found by. Name it in the `indexes` of a controller, and look it up with
 * `client.byIndex(index, key)`: a lookup costs its result, not the size of the cache.
 *
 * @param name unique among the indexes of the kind, for messages
 * @param keysOf a pure function of the object: one key, several, or none; run once for each change of an object. What it throws is logged, and
 * the object is not found by this index until it changes
 *
 * @example
 * export const bySecret = defineIndex(Site, 'secret', (site) => site.spec.secretName);
 * // in `map` of watch(Secret, …)
 * const sites = await client.byIndex(bySecret, secret.metadata.name, { namespace: secret.metadata.namespace });
 */
export function defineIndex<T extends KubeObject, K extends string = string>(
  resource: Resource<T>,
  name: string,
  keysOf: (object: Stored<T>) => readonly K[] | K | undefined,
): Index<T, K> {
  return Object.freeze({ resource, name, keysOf });
}
