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
  /** As the server has stored it; for `unchanged` as it is in the cache. */
  readonly object: Stored<T>;
  /**
   * The outcome for the object. `unchanged` may have taken a PUT: after a restart one is sent to learn which maps the server keeps as one
   * value, which changes nothing if the object is as desired.
   */
  readonly operation: Operation;
}

/**
 * The client of a reconcile: reads the cache of the declared kinds, writes to the API server. What it has written, it reads: the cache shows a
 * write at once, not when its watch event arrives.
 */
export interface ControllerClient extends CachedReader, Writer {
  /** Reads from the API server, of any kind: for what must not be a moment old, or is too much to keep. Needs `get` or `list` permission. */
  readonly live: LiveReader;
  /**
   * Creates an object, or updates what differs from it: for objects that are not written by `apply`. Fields that `desired` leaves out keep
   * their values, so that defaults of the server are not differences; give a field another value to change it. A list is replaced unless each of its
   * items, by position, has nothing but additional fields. Reads the cache, or the API server for a kind that is not in it.
   *
   * @param desired gives the whole object; `current` is what exists, if it does
   * @throws ApiError `kube/conflict` if the object has changed since, `kube/already-exists` if somebody else has just created it: the
   * reconcile is retried; as `create` and `update`
   */
  createOrUpdate<R extends Resource>(
    resource: R,
    key: ObjectKey,
    desired: (current: Stored<ObjectOf<R>> | undefined) => ApplyObject<ObjectOf<R>>,
    options?: WriteOptions,
  ): Promise<CreateOrUpdateResult<ObjectOf<R>>>;
  /**
   * Reads an object, changes it and updates it; after a conflict again, from the API server, at most 5 times. Nothing is written if nothing has
   * changed. Reads the cache first, or the API server for a kind that is not in it.
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

/** The client of another cluster: as that of a reconcile, but a reader of its own type, so that the clusters are not mistaken for each other. */
export type OtherClusterClient = Omit<ControllerClient, 'source'> & ClusterReader;

/** The client, counting its calls. */
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
