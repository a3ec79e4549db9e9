import type { KubeList, KubeObject, ObjectOf, Resource, Stored, StoredCopy } from '../api/index.ts';

/** Identifies an object: the name, and the namespace for namespaced kinds. */
export interface ObjectKey {
  /** Name of the object: `metadata.name`. */
  readonly name: string;
  /** Namespace of the object: `metadata.namespace`; absent for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /**
   * Signal that cancels the call. A cancelled call rejects with the reason of the signal. Default: in a reconcile, the signal of the
   * reconcile context.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Options that select the objects of a list. */
export interface ListOptions extends CallOptions {
  /** Namespace of the objects to list. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** Label selector with the syntax of `kubectl -l`, such as `app=web,tier in (a, b),!canary`. Default: every object. */
  readonly labelSelector?: string | undefined;
  /**
   * Field selector with the syntax of `kubectl --field-selector`, such as `status.phase=Running`. Only for reads from the API server, not
   * from the cache. Default: every object.
   */
  readonly fieldSelector?: string | undefined;
}

/** Options of a write. */
export interface WriteOptions extends CallOptions {
  /**
   * Name that the API server records as the owner of the written fields, 1 to 128 characters. Default: the client's own field manager; in a
   * reconcile `<manager>/<controller>`.
   */
  readonly fieldManager?: string | undefined;
  /** True to let the server process the write and return the resulting object without storing it. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Treatment of unknown and duplicate fields: `Strict` (the default) refuses the write, `Warn` logs the fields, `Ignore` drops them. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /**
   * True to take over fields that another field manager owns. Default: true, because a controller is authoritative for the fields that it
   * applies.
   */
  readonly force?: boolean | undefined;
  /** Version that the object must have; otherwise the apply fails with a conflict. Default: any version. */
  readonly resourceVersion?: string | undefined;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  /**
   * Seconds that a Pod has to end by itself; 0 kills it at once. Other kinds are deleted at once in any case. Default:
   * `terminationGracePeriodSeconds` of the Pod.
   */
  readonly gracePeriodSeconds?: number | undefined;
  /** True to do nothing if the object does not exist. Default: false, which throws `kube/not-found`. */
  readonly ignoreNotFound?: boolean | undefined;
  /**
   * Treatment of the dependents of the deleted object: they are deleted after the object (`Background`), deleted before the object
   * (`Foreground`), or kept (`Orphan`). Default: the default of the kind, usually `Background`.
   */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  /**
   * Deletes the object only if it has the given `uid` and the given `resourceVersion`; otherwise the delete fails with a conflict. Default:
   * deletes any object with the given name.
   */
  readonly preconditions?:
    { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
}

/** Outcome of a delete. */
export interface DeleteResult<T> {
  /** UID of the object; undefined if the server does not return it. */
  readonly uid: string | undefined;
  /**
   * Last state of the object if it remains until its finalizers are removed or its grace period is over; undefined if the object no longer
   * exists.
   */
  readonly object: T | undefined;
}

/**
 * A change of an object in one of three formats: JSON merge patch (RFC 7386; a list replaces the entire list, null removes a field), JSON
 * patch (RFC 6902), or strategic merge patch (built-in kinds only).
 */
export type Patch =
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: 'strategic'; readonly body: unknown };

/**
 * Argument of `mergePatch`: the fields to change, at every level of nesting. null removes a field; a list replaces the entire list.
 *
 * @example
 * await client.mergePatch(Deployment, key, { metadata: { annotations: { 'example.com/paused': null } } });
 */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: MergePatch<T[K]> | null | undefined }
    : T;

/** One operation of a JSON patch. Source: RFC 6902. */
export interface JsonPatchOperation {
  /** The operation. `test` fails the entire patch if the value at `path` differs from `value`. */
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  /** JSON pointer (RFC 6901) to the target of the operation, such as `/spec/replicas` or `/metadata/labels/example.com~1name`. */
  readonly path: string;
  /** JSON pointer to the source of a `move` or `copy`. */
  readonly from?: string;
  /** Value for `add`, `replace` and `test`. */
  readonly value?: unknown;
}

/** Any subset of an object's fields, at every level of nesting, as server-side apply sends it. A list in the subset must be complete. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/**
 * Argument of `apply` and `createOrUpdate`: the fields that the caller owns, and the object's name. `apiVersion` and `kind` are filled in
 * from the token. Declare ApplyObject as the return type of functions that compute such an argument. Without this return type, TypeScript
 * widens `restartPolicy: 'Never'` to `string`, which is not assignable.
 *
 * @example
 * function desiredJob(backup: Backup): ApplyObject<Job> {
 *   return { metadata: { name: backup.metadata.name, ...ownedBy(backup) }, spec: { template: { spec: { restartPolicy: 'Never' } } } };
 * }
 */
export type ApplyObject<T extends KubeObject> = Omit<DeepPartial<T>, 'metadata'> & {
  metadata: DeepPartial<T['metadata']> & { name: string };
};

/** Argument of `create`: a new object. If `generateName` is set instead of `name`, the server generates the name. */
export type CreateObject<T extends KubeObject> = Omit<DeepPartial<T>, 'metadata'> & {
  metadata: DeepPartial<T['metadata']> & ({ name: string } | { generateName: string });
};

/**
 * Reads objects: from the cache (`CachedReader`), from the API server ({@link LiveReader}) or from another cluster (`ClusterReader`).
 * Declare a parameter as Reader if a function accepts any of these three.
 */
export interface Reader {
  /** Origin of the objects: the cache, the API server, or another cluster. */
  readonly source: 'cache' | 'server' | 'cluster';
  /**
   * Reads one object.
   *
   * @param resource token of the kind, from `defineResource`, `opsdk/k8s/…` or `externalResource`
   * @param key name of the object and, for namespaced kinds, its namespace; `object.metadata` is accepted
   * @throws ApiError `kube/not-found` ({@link isNotFound}); when reading from the API server also `kube/forbidden` and others. When reading
   * from the cache, OpSdkError `runtime/undeclared-kind`, `runtime/outside-cache`, `runtime/cache-not-started`
   */
  get<R extends Resource>(resource: R, key: ObjectKey, options?: CallOptions): Promise<Stored<ObjectOf<R>>>;
  /**
   * Reads one object that may be absent.
   *
   * @returns undefined if the object does not exist
   * @throws the same ApiError and OpSdkError as `get`, except `kube/not-found`
   */
  find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<Stored<ObjectOf<R>> | undefined>;
  /**
   * Reads all matching objects. A list from the API server is read in pages, which are joined.
   *
   * @throws the same ApiError as `get`; when reading from the cache, OpSdkError `runtime/cached-field-selector`, `runtime/invalid-selector`
   */
  list<R extends Resource>(resource: R, options?: ListOptions): Promise<KubeList<Stored<ObjectOf<R>>>>;
}

/** Reads objects of any kind from the API server. The returned objects belong to the caller, who may change them. */
export interface LiveReader extends Reader {
  readonly source: 'server';
  /** Reads one object like {@link Reader.get}, with one request. Needs the RBAC permission `get`. */
  get<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /** Reads one object like {@link Reader.find}, with one request. Needs the RBAC permission `get`. */
  find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<StoredCopy<ObjectOf<R>> | undefined>;
  /** Reads objects like {@link Reader.list}, with one request per 500 objects. Needs the RBAC permission `list`. */
  list<R extends Resource>(resource: R, options?: ListOptions): Promise<KubeList<StoredCopy<ObjectOf<R>>>>;
}

/**
 * Writes objects. The objects are plain JSON; the client does not drop or convert any field. Every method that returns an object returns it
 * as the server stored it. The returned object is a copy that belongs to the caller, who may change it.
 */
export interface Writer {
  /**
   * Creates an object; `apiVersion` and `kind` may be omitted.
   *
   * @throws ApiError `kube/already-exists` ({@link isAlreadyExists}), `kube/invalid` ({@link isInvalid}), `kube/forbidden` and others
   */
  create<R extends Resource>(
    resource: R,
    object: CreateObject<ObjectOf<R>>,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /**
   * Replaces the object, except its status if the status is a subresource.
   *
   * @param object a modified copy (`structuredClone`) of the object that was read
   * @throws ApiError `kube/conflict` ({@link isConflict}) if the `resourceVersion` of the object is set and out of date, `kube/not-found`,
   * `kube/invalid` and others; OpSdkError `kube/unsafe-integer` if the object contains an integer beyond 2^53-1 that may have been rounded
   */
  update<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /** Replaces the status of the object through the status subresource. @throws the same ApiError as `update` */
  updateStatus<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /**
   * Changes parts of an object.
   *
   * @param options `subresource` is the subresource to change, such as `status` or `scale`; default: the object itself
   * @throws ApiError `kube/not-found`, `kube/invalid`, `kube/conflict` and others
   */
  patch<R extends Resource>(
    resource: R,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /**
   * Changes some fields of an object by a JSON merge patch whose fields are type-checked. Use it for single fields of objects that somebody
   * else manages; the fields that a controller owns are written by `apply`.
   *
   * @param options `subresource: 'status'` changes the status; default: the object itself
   * @throws the same ApiError as `patch`
   */
  mergePatch<R extends Resource>(
    resource: R,
    key: ObjectKey,
    change: MergePatch<ObjectOf<R>>,
    options?: WriteOptions & { readonly subresource?: 'status' },
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /**
   * Writes an object by server-side apply, which is the usual way to write in a reconcile. Creates the object, or sets the given fields of
   * an existing object. Removes fields that the same field manager applied before and that are no longer given. Fields of other field
   * managers are kept.
   *
   * @throws OpSdkError `kube/apply-read-only-fields` for resourceVersion, uid, managedFields and status; ApiError `kube/conflict` with
   * `force: false`, `kube/invalid`, `kube/forbidden` and others
   */
  apply<R extends Resource>(
    resource: R,
    object: ApplyObject<ObjectOf<R>>,
    options?: ApplyOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /**
   * Writes the status subresource by server-side apply. Give all status fields that this field manager owns, because fields that are no
   * longer given are removed.
   *
   * @throws ApiError `kube/not-found`, `kube/invalid`, `kube/forbidden` and others
   */
  applyStatus<R extends Resource>(
    resource: R,
    key: ObjectKey,
    status: DeepPartial<NonNullable<StatusOf<ObjectOf<R>>>>,
    options?: ApplyOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /**
   * Requests deletion of an object. An object with finalizers remains, with `metadata.deletionTimestamp`, until its finalizers are removed.
   *
   * @returns the object if it remains
   * @throws ApiError `kube/not-found` if the object no longer exists ({@link isNotFound}) unless `ignoreNotFound` is true, `kube/conflict` if the object does not meet
   * `preconditions`
   */
  delete<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<DeleteResult<StoredCopy<ObjectOf<R>>>>;
}

/** Type of an object's `status`; `never` if the object type has no `status`. */
export type StatusOf<T> = T extends { status?: infer S } ? S : never;
