import type { KubeList, KubeObject, Resource } from '../api/index.ts';
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
  Reader,
  StatusOf,
  WriteOptions,
} from '../kube/types.ts';
import { checkOwners } from './owner/index.ts';

/** The client of a reconcile: reads the cache of the declared kinds, writes to the API server. */
export interface ControllerClient extends Client {
  /** Reads from the API server, of any kind: for what must not be a moment old, or is too much to keep. Needs `get` or `list` permission. */
  readonly live: Reader;
}

export interface ControllerClientOptions {
  readonly cached: Reader;
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
  readonly live: Reader;
  readonly #cached: Reader;
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
      get: (resource, key, options) => live.get(resource, key, withDefaults(call, options)),
      find: (resource, key, options) => live.find(resource, key, withDefaults(call, options)),
      list: (resource, options) => live.list(resource, withDefaults(call, options)),
    };
  }

  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: CallOptions): Promise<T> {
    return this.#cached.get(resource, key, withDefaults(this.#call, options));
  }

  find<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<T | undefined> {
    return this.#cached.find(resource, key, withDefaults(this.#call, options));
  }

  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<KubeList<T>> {
    return this.#cached.list(resource, withDefaults(this.#call, options));
  }

  async create<T extends KubeObject>(
    resource: Resource<T>,
    object: CreateObject<T>,
    options?: WriteOptions,
  ): Promise<T> {
    this.#check(resource, object);
    return this.#server.create(resource, object, withDefaults(this.#write, options));
  }

  async update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T> {
    this.#check(resource, object);
    return this.#server.update(resource, object, withDefaults(this.#write, options));
  }

  updateStatus<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T> {
    return this.#server.updateStatus(resource, object, withDefaults(this.#write, options));
  }

  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<T> {
    return this.#server.patch(resource, key, patch, withDefaults(this.#write, options));
  }

  async apply<T extends KubeObject>(
    resource: Resource<T>,
    object: ApplyObject<T>,
    options?: ApplyOptions,
  ): Promise<T> {
    this.#check(resource, object);
    return this.#server.apply(resource, object, withDefaults(this.#write, options));
  }

  applyStatus<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    status: DeepPartial<NonNullable<StatusOf<T>>>,
    options?: ApplyOptions,
  ): Promise<T> {
    return this.#server.applyStatus(resource, key, status, withDefaults(this.#write, options));
  }

  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<void> {
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
