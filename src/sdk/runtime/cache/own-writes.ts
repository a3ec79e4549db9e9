import type { Resource } from '../../api/index.ts';
import type { ObjectKey } from '../../kube/types.ts';
import type { Cache } from './cache.ts';
import type { KindCache } from './kind-cache.ts';
import type { CachedObject } from './store.ts';

/** Gives the writes of this operator to the cache, and looks up what writes need from it. */
export class OwnWrites {
  readonly #cache: Cache;

  constructor(cache: Cache) {
    this.#cache = cache;
  }

  /** The answer to a write: the object as it is now. */
  wrote(resource: Resource, object: CachedObject): void {
    for (const kind of this.#cache.declared(resource)) kind.wrote(object);
  }

  /** The answer to a delete: the object is gone. */
  removed(resource: Resource, key: ObjectKey, uid: string): void {
    for (const kind of this.#cache.declared(resource)) kind.removed(key, uid);
  }

  /** Returns the cache of a kind, with what was applied to its objects; undefined if it is not declared. */
  kindOf(resource: Resource): KindCache | undefined {
    return this.#cache.declared(resource)[0];
  }
}
