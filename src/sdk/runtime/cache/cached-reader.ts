import type { KubeList, KubeObject, ObjectOf, Resource, Stored } from '../../api/index.ts';
import type { CallOptions, ListOptions, ObjectKey, Reader } from '../../kube/index.ts';

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

/** Which objects of a kind the cache holds, and what of them. */
export interface Selection<T extends KubeObject = KubeObject> {
  /** As for `kubectl -l`: `app.kubernetes.io/managed-by=nginx-operator`. The API server sends no others. Default: every object. */
  readonly labelSelector?: string | undefined;
  /** As for `kubectl --field-selector`: `metadata.name=config`, `type=kubernetes.io/tls`. The API server sends no others. Default: every object. */
  readonly fieldSelector?: string | undefined;
  /** Only these namespaces, whatever the manager's are. Default: those of the manager. */
  readonly namespaces?: readonly string[] | undefined;
  /** Hold the metadata alone: for kinds with much data, such as Secrets. The kind is then read as `metadataOnly(K)`. Default: false. */
  readonly metadataOnly?: boolean | undefined;
  /**
   * Changes each object before it is stored, such as dropping data that no controller reads; may change it in place. What it throws stops the
   * operator. Default: `metadata.managedFields` is removed; a transform is called after that.
   */
  readonly transform?: ((object: T) => T) | undefined;
}

/** Selection of what the cache holds of one kind. Created by {@link cached}. */
export interface CachedKind {
  /** The kind. */
  readonly resource: Resource;
  /** Which objects of it, and what of them. */
  readonly selection: Selection;
}

/**
 * Says how the cache holds a kind, for `createManager({ cache: [...] })`. It does not declare the kind: a controller does that by `for`,
 * `owns` or `watches`.
 *
 * @example
 * createManager({ name: 'nginx-operator', cache: [cached(Secret, { labelSelector: 'example.com/used-by=nginx' })] });
 */
export function cached<T extends KubeObject>(resource: Resource<T>, selection: Selection<T>): CachedKind {
  // The cache gives it objects of this kind only.
  return { resource, selection: selection as unknown as Selection };
}

/** `deployments.v1.apps`, `configmaps.v1`: plural, version and group. */
export function resourceName({ plural, version, group }: Resource): string {
  return [plural, version, group].filter((part) => part !== '').join('.');
}
