import type { KubeObject, Resource, Stored } from '../../api/index.ts';
import { deepFreeze } from '../deep-freeze.ts';
import { keyOf } from '../../kube/object-key.ts';

/**
 * A change of an object, as the cache saw it: several changes in between may have become one `update`. An object that replaces
 * another of the same name (its uid differs) is a `delete` followed by a `create`. Objects are frozen.
 */
export type ObjectEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'create'; readonly object: Stored<T> }
  | { readonly type: 'update'; readonly object: Stored<T>; readonly oldObject: Stored<T> }
  | { readonly type: 'delete'; readonly object: Stored<T> };

/** An object of any kind, as the cache holds it. */
export type CachedObject = Stored<KubeObject>;

/** The objects of one kind as last seen, by `namespace/name`. They are frozen. */
export class Store {
  readonly #resource: Resource;
  #objects = new Map<string, CachedObject>();
  #resourceVersion: string | undefined;

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  /** The collection's version of the last list; undefined before the first. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): CachedObject | undefined {
    return this.#objects.get(key);
  }

  entries(): IterableIterator<[string, CachedObject]> {
    return this.#objects.entries();
  }

  /** Takes over a whole list. Objects that are not in it are deleted; objects with the same version are not changes. */
  replace(objects: readonly KubeObject[], resourceVersion: string): ObjectEvent[] {
    const changes: ObjectEvent[] = [];
    const before = this.#objects;
    this.#objects = new Map();
    this.#resourceVersion = resourceVersion;
    for (const object of objects) {
      const key = keyOf(object);
      const old = before.get(key);
      before.delete(key);
      if (old !== undefined && isSameVersion(old, object)) {
        this.#objects.set(key, old);
        continue;
      }
      const kept = this.#prepare(object);
      this.#objects.set(key, kept);
      changes.push(...difference(old, kept));
    }
    const gone = [...before.values()].map((object) => ({ type: 'delete', object }) as const);
    return [...gone, ...changes];
  }

  /** Takes over one event of a watch. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): ObjectEvent[] {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    if (type === 'DELETED') {
      this.#objects.delete(key);
      // The event has the last state; an object that was never seen is nobody's concern.
      return old === undefined ? [] : [{ type: 'delete', object: this.#prepare(object) }];
    }
    if (old !== undefined && isSameVersion(old, object)) return [];
    const kept = this.#prepare(object);
    this.#objects.set(key, kept);
    return difference(old, kept);
  }

  #prepare(object: KubeObject): CachedObject {
    // The API server writes no apiVersion and kind into the items of a list.
    object.apiVersion ||= this.#resource.apiVersion;
    object.kind ||= this.#resource.kind;
    // The server has stored it, so it has a name, a uid and a version.
    return deepFreeze(object) as CachedObject;
  }
}

function difference(old: CachedObject | undefined, object: CachedObject): ObjectEvent[] {
  if (old === undefined) return [{ type: 'create', object }];
  if (old.metadata.uid === object.metadata.uid) return [{ type: 'update', object, oldObject: old }];
  return [
    { type: 'delete', object: old },
    { type: 'create', object },
  ];
}

function isSameVersion(a: KubeObject, b: KubeObject): boolean {
  return a.metadata.uid === b.metadata.uid && a.metadata.resourceVersion === b.metadata.resourceVersion;
}
