import type { KubeList, KubeObject, Resource } from '../api/index.ts';

/** Which object: the name, and the namespace for namespaced kinds. */
export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Recorded as the owner of the written fields. Default: the client's own. */
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** Unknown and duplicate fields: `Strict` (the default) refuses, `Warn` logs, `Ignore` drops. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
}

export interface ApplyOptions extends WriteOptions {
  /** Take over fields that another manager owns. Default: true (a controller is authoritative for what it declares). */
  readonly force?: boolean | undefined;
}

export interface DeleteOptions extends CallOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly preconditions?:
    { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
}

export type Patch =
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: 'strategic'; readonly body: unknown };

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Any subset of an object's fields, down to the leaves; what server-side apply sends. Lists are given whole. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/** What `apply` takes: the fields that the caller owns, with the object's name. `apiVersion` and `kind` are filled in from the token. */
export type ApplyObject<T extends KubeObject> = Omit<DeepPartial<T>, 'metadata'> & {
  metadata: DeepPartial<T['metadata']> & { name: string };
};

/** What `create` takes: a new object; with `generateName` the server makes the name up. */
export type CreateObject<T extends KubeObject> = Omit<DeepPartial<T>, 'metadata'> & {
  metadata: DeepPartial<T['metadata']> & ({ name: string } | { generateName: string });
};

/** Reads. `get` throws an ApiError with reason NotFound; `find` gives undefined instead. */
export interface Reader {
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: CallOptions): Promise<T>;
  find<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<T | undefined>;
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<KubeList<T>>;
}

/** Writes. Objects are plain JSON; nothing is dropped or converted on the way. */
export interface Writer {
  create<T extends KubeObject>(
    resource: Resource<T>,
    object: CreateObject<T>,
    options?: WriteOptions,
  ): Promise<T>;
  /** Replaces the object; its `resourceVersion`, if set, must be current (else ApiError Conflict). */
  update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;
  updateStatus<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<T>;
  /** Server-side apply. Refuses objects that carry resourceVersion, uid, managedFields or status. */
  apply<T extends KubeObject>(
    resource: Resource<T>,
    object: ApplyObject<T>,
    options?: ApplyOptions,
  ): Promise<T>;
  /** Server-side apply of the status subresource. */
  applyStatus<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    status: DeepPartial<NonNullable<StatusOf<T>>>,
    options?: ApplyOptions,
  ): Promise<T>;
  delete<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: DeleteOptions): Promise<void>;
}

export type StatusOf<T> = T extends { status?: infer S } ? S : never;

/** Reads and writes of the API server. */
export interface Client extends Reader, Writer {}
