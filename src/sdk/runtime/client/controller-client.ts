import type { KubeObject, ObjectOf, Resource, Stored, StoredCopy } from '../../api/index.ts';
import type {
  ApplyObject,
  ApplyOptions,
  ClusterReader,
  LiveClient,
  MergePatch,
  ObjectKey,
  StatusOf,
  WriteOptions,
  Writer,
} from '../../kube/index.ts';
import type { CachedReader } from '../cache/index.ts';

/** Outcome of `createOrUpdate`. */
export type Operation = 'created' | 'updated' | 'unchanged';

/** Result of `createOrUpdate`. */
export interface CreateOrUpdateResult<T extends KubeObject> {
  /** The object as stored by the server. For `unchanged`, the object from the cache. */
  readonly object: Stored<T>;
  /**
   * Outcome for the object. `unchanged` may have required a PUT: after a restart, one PUT is sent to determine which maps are atomic on the
   * server. That PUT changes nothing if the object is as desired.
   */
  readonly operation: Operation;
}

/**
 * The client of a reconcile. Reads declared kinds from the cache, and writes to the API server. The cache shows each write of this client
 * immediately, before its watch event arrives.
 */
export interface ControllerClient extends CachedReader, Writer {
  /**
   * Reads objects of any kind from the API server: data that must be current, or is too large to cache; needs `get` or `list` permission.
   * Also makes the requests that go beyond single objects: logs, commands and ports of Pods, evictions, scales, collections.
   */
  readonly live: LiveClient;
  /**
   * Sets some fields of the status by server-side apply, and keeps the others, for a reconcile that takes one step at a time. Unlike
   * `applyStatus`, does not remove fields of this field manager that are not given. Reads the status from the API server first; sends
   * nothing if the cache shows the values already.
   *
   * @param change the fields to set, at every level of nesting. null removes a field that this field manager owns, and no other. Items of a
   * map list, such as conditions, are matched by their keys and kept if they are not named; any other list is replaced
   * @throws the same ApiError as `applyStatus`
   *
   * @example
   * await client.mergeStatus(Backup, key, { phase: 'Uploading', startedAt: new Date(now()).toISOString() });
   */
  mergeStatus<R extends Resource>(
    resource: R,
    key: ObjectKey,
    change: MergePatch<NonNullable<StatusOf<ObjectOf<R>>>>,
    options?: ApplyOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /**
   * Creates an object, or updates the fields that differ. Use it for objects that are not written by `apply`. Fields that `desired` omits
   * keep their values, so that defaults of the server are not differences; give a field another value to change it. A list is kept if it
   * has the same length and its items, by position, have only additional fields. Any other list is replaced. Reads the existing object from
   * the cache, or from the API server for a kind that is not in the cache.
   *
   * @param desired returns the complete object; `current` is the existing object, if it exists
   * @throws ApiError `kube/conflict` if the object has changed since the read, `kube/already-exists` if another client has just created it;
   * in both cases the reconcile is retried. The other errors of `create` and `update`
   */
  createOrUpdate<R extends Resource>(
    resource: R,
    key: ObjectKey,
    desired: (current: Stored<ObjectOf<R>> | undefined) => ApplyObject<ObjectOf<R>>,
    options?: WriteOptions,
  ): Promise<CreateOrUpdateResult<ObjectOf<R>>>;
  /**
   * Reads an object, changes it and updates it. After a conflict, repeats this with a read from the API server, at most 5 times in total.
   * Writes nothing if nothing has changed. The first read uses the cache, or the API server for a kind that is not in the cache.
   *
   * @param change changes the draft in place; must be a pure function of the draft, as it may run several times
   * @throws ApiError `kube/not-found`, `kube/conflict` after the last attempt; the other errors of `update`
   */
  modify<R extends Resource>(
    resource: R,
    key: ObjectKey,
    change: (draft: ObjectOf<R>) => void,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
}

/**
 * Client of another cluster. Has the functions of the client of a reconcile, but a reader of another type, so that the clusters cannot be
 * confused.
 */
export type OtherClusterClient = Omit<ControllerClient, 'source'> & ClusterReader;

/** Wraps a client so that `count` is called for each call of the client. */
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
