import type { KubeList, KubeObject, ObjectOf, Resource, Stored } from '../../api/index.ts';
import type { CallOptions, ListOptions, ObjectKey, Reader } from '../../kube/types.ts';
import type { Index } from './define-index.ts';

/** Where an index is looked up. */
export interface IndexOptions extends CallOptions {
  /** Only objects of this namespace. Default: all namespaces. */
  readonly namespace?: string | undefined;
}

/**
 * Reads of the operator's cache: kinds that a controller declares by `for`, `owns` or `watches`, as of the last event of their watch, and never
 * older than what this operator wrote itself (apart from kinds that are selected by fields). No read makes a request. Objects are shared and frozen: change a copy, `mutableCopy(object)`.
 */
export interface CachedReader extends Reader {
  readonly source: 'cache';
  /** As {@link Reader.get}, from memory. Needs the permissions `list` and `watch`. */
  get<R extends Resource>(resource: R, key: ObjectKey, options?: CallOptions): Promise<Stored<ObjectOf<R>>>;
  /** As {@link Reader.find}, from memory. Needs the permissions `list` and `watch`. */
  find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<Stored<ObjectOf<R>> | undefined>;
  /** As {@link Reader.list}, from memory, sorted by namespace and name. Needs the permissions `list` and `watch`. */
  list<R extends Resource>(resource: R, options?: ListOptions): Promise<KubeList<Stored<ObjectOf<R>>>>;
  /**
   * Reads the objects that an index finds, sorted by namespace and name. Costs its result, not the size of the cache.
   *
   * @throws OpSdkError `runtime/undeclared-index` for an index that no controller names in `indexes`; others as `list`
   */
  byIndex<T extends KubeObject, K extends string>(
    index: Index<T, K>,
    key: NoInfer<K>,
    options?: IndexOptions,
  ): Promise<KubeList<Stored<T>>>;
}
