import type { KubeObject, ObjectOf, Resource, Stored, StoredCopy } from '../../api/index.ts';
import type {
  ApplyObject,
  ClusterReader,
  LiveReader,
  ObjectKey,
  WriteOptions,
  Writer,
} from '../../kube/index.ts';
import type { CachedReader } from '../cache/index.ts';

/** Outcome of `createOrUpdate`. */
export type Operation = 'created' | 'updated' | 'unchanged';

/** Result of `createOrUpdate`. */
export interface CreateOrUpdateResult<T extends KubeObject> {
  /** The object as stored by the server; for `unchanged` the cached object. */
  readonly object: Stored<T>;
  /**
   * The outcome for the object. `unchanged` may have required a PUT: after a restart one is sent to determine which maps are atomic on the
   * server; it changes nothing if the object is as desired.
   */
  readonly operation: Operation;
}

/**
 * The client of a reconcile: reads the cache of the declared kinds, writes to the API server. It reads its own writes: the cache shows a
 * write immediately, before its watch event arrives.
 */
export interface ControllerClient extends CachedReader, Writer {
  /** Reads from the API server, of any kind: for data that must be current, or is too large to cache. Needs `get` or `list` permission. */
  readonly live: LiveReader;
  /**
   * Creates an object, or updates the fields that differ: for objects that are not written by `apply`. Fields that `desired` omits keep
   * their values, so that defaults of the server are not differences; give a field another value to change it. A list is kept if it has the
   * same length and its items, by position, have only additional fields; any other list is replaced. Reads the cache, or the API server for
   * a kind that is not in it.
   *
   * @param desired returns the complete object; `current` is the existing object, if there is one
   * @throws ApiError `kube/conflict` if the object has changed since, `kube/already-exists` if another client has just created it: the
   * reconcile is retried; as `create` and `update`
   */
  createOrUpdate<R extends Resource>(
    resource: R,
    key: ObjectKey,
    desired: (current: Stored<ObjectOf<R>> | undefined) => ApplyObject<ObjectOf<R>>,
    options?: WriteOptions,
  ): Promise<CreateOrUpdateResult<ObjectOf<R>>>;
  /**
   * Reads an object, changes it and updates it; repeats this after a conflict with a read from the API server, at most 5 times in total.
   * Writes nothing if nothing has changed. Reads the cache first, or the API server for a kind that is not in it.
   *
   * @param change changes the draft in place; a pure function of it, as it may run several times
   * @throws ApiError `kube/not-found`, `kube/conflict` after the last attempt, as `update`
   */
  modify<R extends Resource>(
    resource: R,
    key: ObjectKey,
    change: (draft: ObjectOf<R>) => void,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
}

/** The client of another cluster: like that of a reconcile, but with a reader of another type, so that the clusters cannot be confused. */
export type OtherClusterClient = Omit<ControllerClient, 'source'> & ClusterReader;

/** Wraps a client so that it counts its calls. */
export function countCalls<C extends object>(client: C, count: () => void): C {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        count();
        return Reflect.apply(member, target, args);
      };
    },
  });
}
