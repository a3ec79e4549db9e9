import type { Resource } from '../../api/index.ts';
import type { ObjectKey } from '../../kube/types.ts';
import type { AppliedFields } from './applied-fields.ts';
import type { Cache } from './cache.ts';
import type { CachedObject } from './store.ts';

/** What the cache learns of the writes of this operator, and what it knows for them. */
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

  /** Whether the cache has every field of the object, if it exists: only then can one write over what is read from it. */
  hasWhole(resource: Resource, key: ObjectKey): boolean {
    return this.#cache.declared(resource)[0]?.hasWhole(key) === true;
  }

  /** The object as the cache has it. */
  lookUp(resource: Resource, key: ObjectKey): CachedObject | undefined {
    return this.#cache.declared(resource)[0]?.get(key);
  }

  /** What was applied to the objects of a kind; undefined if the cache does not have it whole. */
  appliedTo(resource: Resource): AppliedFields | undefined {
    return this.#cache.declared(resource)[0]?.applied;
  }
}
