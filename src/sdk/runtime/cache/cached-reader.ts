import type { KubeList, KubeObject, ObjectOf, Resource, Stored } from '../../api/index.ts';
import type { CallOptions, ListOptions, ObjectKey, Reader } from '../../kube/index.ts';

/** Restricts an index lookup. */
export interface IndexOptions extends CallOptions {
  /** Only objects of this namespace. Default: all namespaces. */
  readonly namespace?: string | undefined;
}

/**
 * Reads from the operator's cache: kinds that a controller declares by `for`, `owns` or `watches`, in the state of the last event of their
 * watch, and never older than this operator's own writes (except for kinds that are selected by fields). No read makes a request. Objects
 * are shared and frozen: change a copy, `mutableCopy(object)`.
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
  /** Reads objects like {@link Reader.list}, from memory, sorted by namespace and name. Needs the permissions `list` and `watch`. */
  list<R extends Resource>(resource: R, options?: ListOptions): Promise<KubeList<Stored<ObjectOf<R>>>>;
  /**
   * Reads the objects that an index maps to a key, sorted by namespace and name. The cost depends on the number of results, not on the size
   * of the cache.
   *
   * @throws OpSdkError `runtime/undeclared-index` for an index that no controller lists in `indexes`; others as `list`
   */
  byIndex<T extends KubeObject, K extends string>(
    index: Index<T, K>,
    key: NoInfer<K>,
    options?: IndexOptions,
  ): Promise<KubeList<Stored<T>>>;
}

declare const indexKey: unique symbol;

/**
 * An index of a kind, which finds objects in the cache without scanning all of them. Created by {@link defineIndex}; maintained once a
 * controller lists it in `indexes`.
 */
export interface Index<T extends KubeObject = KubeObject, K extends string = string> {
  /** The indexed kind. */
  readonly resource: Resource<T>;
  /** For messages; unique among the indexes of the kind. */
  readonly name: string;
  /** Returns the keys of an object. */
  keysOf(object: Stored<T>): readonly K[] | K | undefined;
  /** Only for the type checker: the type of the keys. */
  readonly [indexKey]?: K;
}

/**
 * Declares an index that maps keys to objects of a kind. List it in the `indexes` of a controller, and look it up with
 * `client.byIndex(index, key)`: the cost of a lookup depends on the number of results, not on the size of the cache.
 *
 * @param name unique among the indexes of the kind, for messages
 * @param keysOf a pure function of the object that returns one key, several, or none; called once for each change of an object. An error is
 * logged, and the object is missing from this index until it changes
 *
 * @example
 * export const bySecret = defineIndex(Site, 'secret', (site) => site.spec.secretName); in `map` of watch(Secret, …) const sites = await
 * client.byIndex(bySecret, secret.metadata.name, { namespace: secret.metadata.namespace });
 */
export function defineIndex<T extends KubeObject, K extends string = string>(
  resource: Resource<T>,
  name: string,
  keysOf: (object: Stored<T>) => readonly K[] | K | undefined,
): Index<T, K> {
  return Object.freeze({ resource, name, keysOf });
}

/** Objects of a kind that the cache holds, and the parts of them that it keeps. */
export interface Selection<T extends KubeObject = KubeObject> {
  /**
   * Same syntax as `kubectl -l`: `app.kubernetes.io/managed-by=nginx-operator`. The API server sends only matching objects. Default: every
   * object.
   */
  readonly labelSelector?: string | undefined;
  /**
   * Same syntax as `kubectl --field-selector`: `metadata.name=config`, `type=kubernetes.io/tls`. The API server sends only matching
   * objects. Default: every object.
   */
  readonly fieldSelector?: string | undefined;
  /** Only these namespaces, independently of those of the manager. Default: those of the manager. */
  readonly namespaces?: readonly string[] | undefined;
  /** Hold only the metadata: for kinds with much data, such as Secrets. Such a kind is read as `metadataOnly(K)`. Default: false. */
  readonly metadataOnly?: boolean | undefined;
  /**
   * Changes each object before it is stored, such as dropping data that no controller reads; may change it in place. An error stops the
   * operator. `metadata.managedFields` is always removed before. Default: no further change.
   */
  readonly transform?: ((object: T) => T) | undefined;
}

/** Selection of the objects of one kind that the cache holds. Created by {@link cached}. */
export interface CachedKind {
  /** The kind. */
  readonly resource: Resource;
  /** The selected objects and the parts of them that the cache keeps. */
  readonly selection: Selection;
}

/**
 * Configures how the cache holds a kind, for `createManager({ cache: [...] })`. Does not declare the kind: a controller does that by `for`,
 * `owns` or `watches`.
 *
 * @example
 * createManager({ name: 'nginx-operator', cache: [cached(Secret, { labelSelector: 'example.com/used-by=nginx' })] });
 */
export function cached<T extends KubeObject>(resource: Resource<T>, selection: Selection<T>): CachedKind {
  // The cache passes only objects of this kind.
  return { resource, selection: selection as unknown as Selection };
}

/** Returns plural, version and group: `deployments.v1.apps`, `configmaps.v1`. */
export function resourceName({ plural, version, group }: Resource): string {
  return [plural, version, group].filter((part) => part !== '').join('.');
}
