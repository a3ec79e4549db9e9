import type { KubeList, KubeObject, ObjectOf, Resource, Stored } from '../../api/index.ts';
import type { CallOptions, ListOptions, ObjectKey, Reader } from '../../kube/index.ts';

/** Restricts an index lookup. */
export interface IndexOptions extends CallOptions {
  /** Namespace of the objects. Default: all namespaces. */
  readonly namespace?: string | undefined;
}

/**
 * Reads from the operator's cache. Covers the kinds that a controller declares by `for`, `owns` or `watches`, in the state of the last
 * watch event of each kind. Never returns a state older than this operator's own writes (except for kinds with a field selector). No read
 * makes a request. Objects are shared and frozen: change a copy, `mutableCopy(object)`.
 */
export interface CachedReader extends Reader {
  readonly source: 'cache';
  /** Reads one object like {@link Reader.get}, from memory. Needs the permissions `list` and `watch`. */
  get<R extends Resource>(resource: R, key: ObjectKey, options?: CallOptions): Promise<Stored<ObjectOf<R>>>;
  /** Reads one object like {@link Reader.find}, from memory. Needs the permissions `list` and `watch`. */
  find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<Stored<ObjectOf<R>> | undefined>;
  /**
   * Reads objects like {@link Reader.list}, from memory. Sorts the objects by namespace and name. Needs the permissions `list` and `watch`.
   */
  list<R extends Resource>(resource: R, options?: ListOptions): Promise<KubeList<Stored<ObjectOf<R>>>>;
  /**
   * Reads the objects that an index maps to a key, sorted by namespace and name. The cost depends on the number of results, not on the size
   * of the cache.
   *
   * @throws OpSdkError `runtime/undeclared-index` for an index that no controller lists in `indexes`; the same errors as `list`
   */
  byIndex<T extends KubeObject, K extends string>(
    index: Index<T, K>,
    key: NoInfer<K>,
    options?: IndexOptions,
  ): Promise<KubeList<Stored<T>>>;
  /**
   * Returns true if the API server serves a kind, and its objects are in the cache: for kinds that a controller declares with `ifServed`,
   * whole or by `metadataOnly`.
   *
   * @throws OpSdkError `runtime/undeclared-kind`
   */
  isServed(resource: Resource): boolean;
}

declare const indexKey: unique symbol;

/**
 * Index for a kind, which finds objects in the cache without scanning all of them. Create an index with {@link defineIndex}. The cache
 * maintains the index if a controller lists it in `indexes`.
 */
export interface Index<T extends KubeObject = KubeObject, K extends string = string> {
  /** The indexed kind. */
  readonly resource: Resource<T>;
  /** Name of the index in messages; unique among the indexes of the kind. */
  readonly name: string;
  /** Returns the index keys of an object. */
  keysOf(object: Stored<T>): readonly K[] | K | undefined;
  /** Declares the type of the keys for the type checker. Never set. */
  readonly [indexKey]?: K;
}

/**
 * Declares an index that maps keys to objects of a kind. List the index in the `indexes` of a controller, and look up objects with
 * `client.byIndex(index, key)`. The cost of a lookup depends on the number of results, not on the size of the cache.
 *
 * @param name unique among the indexes of the kind, for messages
 * @param keysOf a pure function of the object that returns one key, several, or none; called once for each change of an object. An error is
 * logged, and the object is missing from this index until it changes
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

/** Selects the objects of a kind that the cache holds, and the parts that it keeps of each object. */
export interface Selection<T extends KubeObject = KubeObject> {
  /**
   * Label selector in the syntax of `kubectl -l`: `app.kubernetes.io/managed-by=nginx-operator`. The API server sends only matching
   * objects. Default: every object.
   */
  readonly labelSelector?: string | undefined;
  /**
   * Field selector in the syntax of `kubectl --field-selector`: `metadata.name=config`, `type=kubernetes.io/tls`. The API server sends only
   * matching objects. Default: every object.
   */
  readonly fieldSelector?: string | undefined;
  /** Namespaces of the objects, instead of the namespaces of the manager. Default: the namespaces of the manager. */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * True: hold only the metadata of each object. Use this for kinds with much data, such as Secrets, and read the kind as
   * `metadataOnly(K)`. Default: false.
   */
  readonly metadataOnly?: boolean | undefined;
  /**
   * Changes each object before it is stored, for example to drop data that no controller reads. May change the object in place. An error
   * stops the operator. `metadata.managedFields` is always removed before this function is called. Default: no further change.
   */
  readonly transform?: ((object: T) => T) | undefined;
}

/** One kind and the selection of its objects that the cache holds. Created by {@link cached}. */
export interface CachedKind {
  /** The kind whose objects are selected. */
  readonly resource: Resource;
  /** Selects the objects that the cache holds, and the parts that it keeps of each object. */
  readonly selection: Selection;
}

/**
 * Configures which objects of a kind the cache holds, for `createManager({ cache: [...] })`. Does not declare the kind: a controller
 * declares it by `for`, `owns` or `watches`.
 *
 * @example
 * createManager({ name: 'nginx-operator', cache: [cached(Secret, { labelSelector: 'example.com/used-by=nginx' })] });
 */
export function cached<T extends KubeObject>(resource: Resource<T>, selection: Selection<T>): CachedKind {
  // The cast is safe because the cache passes only objects of this kind to the selection.
  return { resource, selection: selection as unknown as Selection };
}

/** Returns plural, version and group: `deployments.v1.apps`, `configmaps.v1`. */
export function resourceName({ plural, version, group }: Resource): string {
  return [plural, version, group].filter((part) => part !== '').join('.');
}
