import type { KubeList, KubeObject, ObjectOf, Resource, Stored, StoredCopy } from '../api/index.ts';

/** Identifies an object: the name, and the namespace for namespaced kinds. */
export interface ObjectKey {
  /** `metadata.name`. */
  readonly name: string;
  /** `metadata.namespace`; absent for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Cancels the call: it rejects with the reason of the signal. Default: in a reconcile, the signal of its context. */
  readonly signal?: AbortSignal | undefined;
}

/** Selects the objects of a list. */
export interface ListOptions extends CallOptions {
  /** Only this namespace. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** Same syntax as `kubectl -l`: `app=web,tier in (a, b),!canary`. Default: every object. */
  readonly labelSelector?: string | undefined;
  /**
   * Same syntax as `kubectl --field-selector`: `status.phase=Running`. Only for reads from the API server, not from the cache. Default:
   * every object.
   */
  readonly fieldSelector?: string | undefined;
}

/** Options of a write. */
export interface WriteOptions extends CallOptions {
  /** Recorded as the owner of the written fields, 1 to 128 characters. Default: the client's own; in a reconcile `<manager>/<controller>`. */
  readonly fieldManager?: string | undefined;
  /** The server processes the write and returns the resulting object without storing it. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Unknown and duplicate fields: `Strict` (the default) refuses, `Warn` logs, `Ignore` drops. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Take over fields that another manager owns. Default: true (a controller is authoritative for the fields that it applies). */
  readonly force?: boolean | undefined;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  /**
   * Treatment of its dependents: deleted after it (`Background`), before it (`Foreground`), or kept (`Orphan`). Default: that of the kind,
   * usually `Background`.
   */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  /**
   * Delete only this object (`uid`) in this state (`resourceVersion`), otherwise fail with a conflict. Default: any object of that name.
   */
  readonly preconditions?:
    { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
}

/** Outcome of a delete. */
export interface DeleteResult<T> {
  /** UID of the object; undefined if the server does not return it. */
  readonly uid: string | undefined;
  /** The object as it remains until its finalizers are removed or its grace period is over; undefined if it no longer exists. */
  readonly object: T | undefined;
}

/**
 * A change of an object: JSON merge patch (RFC 7386; a list replaces the entire list, null removes), JSON patch (RFC 6902), or strategic
 * merge patch (built-in kinds only).
 */
export type Patch =
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: 'strategic'; readonly body: unknown };

/** One operation of a JSON patch. Source: RFC 6902. */
export interface JsonPatchOperation {
  /** The operation; `test` fails the whole patch if the value differs. */
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  /** A JSON pointer (RFC 6901), such as `/spec/replicas` or `/metadata/labels/example.com~1name`. */
  readonly path: string;
  /** A JSON pointer: the source of `move` and `copy`. */
  readonly from?: string;
  /** For `add`, `replace` and `test`. */
  readonly value?: unknown;
}

/** Any subset of an object's fields, at every level, as sent by server-side apply. Lists must be complete. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/**
 * The argument of `apply` and `createOrUpdate`: the fields that the caller owns, with the object's name. `apiVersion` and `kind` are filled
 * in from the token. Declare it as the return type of functions that compute such an object: without it, TypeScript widens `restartPolicy:
 * 'Never'` to `string`, which is not assignable.
 *
 * @example
 * function desiredJob(backup: Backup): ApplyObject<Job> {
 *   return { metadata: { name: backup.metadata.name, ...ownedBy(backup) }, spec: { template: { spec: { restartPolicy: 'Never' } } } }; }
 */
export type ApplyObject<T extends KubeObject> = Omit<DeepPartial<T>, 'metadata'> & {
  metadata: DeepPartial<T['metadata']> & { name: string };
};

/** Argument of `create`: a new object; with `generateName` the server generates the name. */
export type CreateObject<T extends KubeObject> = Omit<DeepPartial<T>, 'metadata'> & {
  metadata: DeepPartial<T['metadata']> & ({ name: string } | { generateName: string });
};

/**
 * Reads objects: from the cache ({@link CachedReader}), from the API server ({@link LiveReader}) or from another cluster ({@link
 * ClusterReader}). Declare a parameter as Reader if it accepts any of them.
 */
export interface Reader {
  /** Source of the objects. */
  readonly source: 'cache' | 'server' | 'cluster';
  /**
   * Reads one object.
   *
   * @param resource the kind: a value of `defineResource`, of `opsdk/k8s/…` or of `externalResource`
   * @param key name, and namespace for namespaced kinds; `object.metadata` is accepted
   * @throws ApiError `kube/not-found` ({@link isNotFound}); from the API server also `kube/forbidden` and others. From the cache:
   * OpSdkError `runtime/undeclared-kind`, `runtime/outside-cache`, `runtime/cache-not-started`
   */
  get<R extends Resource>(resource: R, key: ObjectKey, options?: CallOptions): Promise<Stored<ObjectOf<R>>>;
  /**
   * Reads one object that may be absent.
   *
   * @returns undefined if it does not exist
   * @throws ApiError and OpSdkError as `get`, apart from `kube/not-found`
   */
  find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<Stored<ObjectOf<R>> | undefined>;
  /**
   * Reads all matching objects. A list from the API server is read in pages, which are joined.
   *
   * @throws ApiError as `get`; from the cache OpSdkError `runtime/cached-field-selector`, `runtime/invalid-selector`
   */
  list<R extends Resource>(resource: R, options?: ListOptions): Promise<KubeList<Stored<ObjectOf<R>>>>;
}

/** Reads from the API server, of any kind. The returned objects belong to the caller, who may change them. */
export interface LiveReader extends Reader {
  readonly source: 'server';
  /** Reads one object like {@link Reader.get}, with one request. Needs the permission `get`. */
  get<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /** Reads one object like {@link Reader.find}, with one request. Needs the permission `get`. */
  find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<StoredCopy<ObjectOf<R>> | undefined>;
  /** Reads objects like {@link Reader.list}, with one request per 500 objects. Needs the permission `list`. */
  list<R extends Resource>(resource: R, options?: ListOptions): Promise<KubeList<StoredCopy<ObjectOf<R>>>>;
}

/** Reads from another cluster: from its cache, and with `live` from its API server. */
export interface ClusterReader extends Reader {
  readonly source: 'cluster';
  /** Reads from the API server of that cluster. */
  readonly live: LiveReader;
}

/**
 * Writes objects. They are plain JSON; the client does not drop or convert any field. Every method returns the object as the server stored
 * it: a copy that belongs to the caller, who may change it.
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
   * Replaces the object (except status, if it is a subresource).
   *
   * @param object a modified copy of the object that was read: `structuredClone`
   * @throws ApiError `kube/conflict` ({@link isConflict}) if its `resourceVersion` is set and out of date, `kube/not-found`, `kube/invalid`
   * and others; OpSdkError `kube/unsafe-integer` if it contains an integer beyond 2^53-1 that may have been rounded
   */
  update<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /** Replaces the status of the object, by the status subresource. @throws ApiError as `update` */
  updateStatus<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /**
   * Changes parts of an object.
   *
   * @param options `subresource`: such as `status` or `scale`; default: the object itself
   * @throws ApiError `kube/not-found`, `kube/invalid`, `kube/conflict` and others
   */
  patch<R extends Resource>(
    resource: R,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<StoredCopy<ObjectOf<R>>>;
  /**
   * Server-side apply: creates the object, or sets the given fields, and removes the fields that the same field manager applied before and
   * that are no longer given. Fields of other managers are kept. The usual way to write in a reconcile.
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
   * Server-side apply of the status subresource. Give all status fields that this field manager owns: fields that are no longer given are
   * removed.
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
   * Requests deletion. The object remains, with `metadata.deletionTimestamp`, until its finalizers are removed.
   *
   * @returns the object if it remains
   * @throws ApiError `kube/not-found` if it no longer exists ({@link isNotFound}), `kube/conflict` for `preconditions`
   */
  delete<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<DeleteResult<StoredCopy<ObjectOf<R>>>>;
}

/** The type of an object's `status`; never if it has none. */
export type StatusOf<T> = T extends { status?: infer S } ? S : never;

/** Reads from and writes to the API server. */
export interface Client extends LiveReader, Writer {}
