import type { KubeList, KubeObject, ObjectOf, Resource, Stored } from '../api/index.ts';
import type {
  ApplyObject,
  ApplyOptions,
  CallOptions,
  Client,
  CreateObject,
  DeepPartial,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  Patch,
  LiveReader,
  StatusOf,
  WriteOptions,
  Writer,
} from '../kube/types.ts';
import { assertConditionsAreAMap } from './applied-conditions.ts';
import type { CachedReader } from './cache/index.ts';
import { checkOwners } from './owner/index.ts';

/** The client of a reconcile: reads the cache of the declared kinds, writes to the API server. */
export interface ControllerClient extends CachedReader, Writer {
  /** Reads from the API server, of any kind: for what must not be a moment old, or is too much to keep. Needs `get` or `list` permission. */
  readonly live: LiveReader;
}

export interface ControllerClientOptions {
  readonly cached: CachedReader;
  readonly live: Client;
  /** For writes that name none. */
  readonly fieldManager: string;
  /** For calls that bring none. */
  readonly signal?: AbortSignal;
  /** The object that is reconciled: references to it are checked before they are written. */
  readonly owner?: KubeObject;
}

/** Puts cache and API server together, with the defaults of one controller or runnable. */
export class CacheBackedClient implements ControllerClient {
  readonly source = 'cache';
  readonly live: LiveReader;
  readonly #cached: CachedReader;
  readonly #server: Client;
  readonly #owner: KubeObject | undefined;
  readonly #call: CallOptions;
  readonly #write: WriteOptions;

  constructor({ cached, live, fieldManager, signal, owner }: ControllerClientOptions) {
    this.#call = signal === undefined ? {} : { signal };
    this.#write = { ...this.#call, fieldManager };
    this.#cached = cached;
    this.#server = live;
    this.#owner = owner;
    const call = this.#call;
    this.live = {
      source: 'server',
      get: (resource, key, options) => live.get(resource, key, withDefaults(call, options)),
      find: (resource, key, options) => live.find(resource, key, withDefaults(call, options)),
      list: (resource, options) => live.list(resource, withDefaults(call, options)),
    };
  }

  get<R extends Resource>(resource: R, key: ObjectKey, options?: CallOptions): Promise<Stored<ObjectOf<R>>> {
    return this.#cached.get(resource, key, withDefaults(this.#call, options));
  }

  find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<Stored<ObjectOf<R>> | undefined> {
    return this.#cached.find(resource, key, withDefaults(this.#call, options));
  }

  list<R extends Resource>(resource: R, options?: ListOptions): Promise<KubeList<Stored<ObjectOf<R>>>> {
    return this.#cached.list(resource, withDefaults(this.#call, options));
  }

  async create<R extends Resource>(
    resource: R,
    object: CreateObject<ObjectOf<R>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<R>> {
    this.#check(resource, object);
    return this.#server.create(resource, object, withDefaults(this.#write, options));
  }

  async update<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options?: WriteOptions,
  ): Promise<ObjectOf<R>> {
    this.#check(resource, object);
    return this.#server.update(resource, object, withDefaults(this.#write, options));
  }

  updateStatus<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options?: WriteOptions,
  ): Promise<ObjectOf<R>> {
    return this.#server.updateStatus(resource, object, withDefaults(this.#write, options));
  }

  patch<R extends Resource>(
    resource: R,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<ObjectOf<R>> {
    return this.#server.patch(resource, key, patch, withDefaults(this.#write, options));
  }

  async apply<R extends Resource>(
    resource: R,
    object: ApplyObject<ObjectOf<R>>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<R>> {
    this.#check(resource, object);
    return this.#server.apply(resource, object, withDefaults(this.#write, options));
  }

  async applyStatus<R extends Resource>(
    resource: R,
    key: ObjectKey,
    status: DeepPartial<NonNullable<StatusOf<ObjectOf<R>>>>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<R>> {
    const write = withDefaults(this.#write, options);
    await assertConditionsAreAMap(this.#server, resource, key, status, write);
    return this.#server.applyStatus(resource, key, status, write);
  }

  delete<R extends Resource>(resource: R, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    return this.#server.delete(resource, key, withDefaults(this.#call, options));
  }

  #check(resource: Resource, object: object): void {
    // What is written is some part of an object; only its metadata matters here.
    if (this.#owner !== undefined) checkOwners(this.#owner, resource, object as Pick<KubeObject, 'metadata'>);
  }
}

/** The options that are given, and the defaults where there is none, also where `undefined` is given. */
function withDefaults<O extends object>(defaults: CallOptions & WriteOptions, options: O | undefined): O {
  const defined = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(defined) } as O;
}
