import type { KubeList, KubeObject, ObjectOf, Resource, Stored } from '../../api/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import {
  checkPlace,
  objectNotFound,
  keyText,
  type CallOptions,
  type ListOptions,
  type ObjectKey,
} from '../../kube/index.ts';
import { waitFor } from '../../net/index.ts';
import type { Cache } from './cache.ts';
import { type CachedReader, type IndexOptions, type Index, resourceName } from './cached-reader.ts';
import { type Informer, syncFindings } from './informer.ts';
import { type KindCache, labelTest } from './kind-cache.ts';
import type { CachedObject } from './store.ts';

/**
 * Reads objects from the cache, without requests to the API server. The objects are frozen, in the state of the last watch event. A read
 * waits until the cache of the kind is synced.
 */
export class StoreReader implements CachedReader {
  readonly source = 'cache';
  readonly #cache: Cache;
  readonly #signal: (() => AbortSignal) | undefined;

  /** @param signal returns the signal that aborts waiting for a kind to be synced */
  constructor(cache: Cache, signal?: () => AbortSignal) {
    this.#cache = cache;
    this.#signal = signal;
  }

  async get<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<Stored<ObjectOf<R>>> {
    const object = await this.find(resource, key, options);
    if (object === undefined) throw objectNotFound(resource, key);
    return object;
  }

  async find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<Stored<ObjectOf<R>> | undefined> {
    checkPlace('get', resource, key);
    const [informer] = await this.#informers(this.#cache.kindOf(resource), key.namespace, options);
    return informer?.store.get(keyText(key)) as Stored<ObjectOf<R>> | undefined;
  }

  async list<R extends Resource>(
    resource: R,
    options: ListOptions = {},
  ): Promise<KubeList<Stored<ObjectOf<R>>>> {
    if (options.fieldSelector !== undefined) {
      throw new OpSdkError({
        code: 'runtime/cached-field-selector',
        message: `field selectors are not supported by the cache: got ${options.fieldSelector} for ${resource.plural}`,
        fix: [
          'look it up with client.byIndex and an index of the field',
          'filter the items of the list yourself, or list with client.live',
        ],
      });
    }
    checkPlace('list', resource, options, 'collection');
    const kind = this.#cache.kindOf(resource);
    const namespace = namespaceOf(options);
    const matches = labelTest(options.labelSelector ?? '');
    const found: [string, CachedObject][] = [];
    for (const informer of await this.#informers(kind, namespace, options)) {
      for (const entry of kind.entries(informer, namespace)) {
        if (matches(entry[1].metadata.labels)) found.push(entry);
      }
    }
    return listOf<ObjectOf<R>>(found);
  }

  async byIndex<T extends KubeObject, K extends string>(
    index: Index<T, K>,
    key: NoInfer<K>,
    options: IndexOptions = {},
  ): Promise<KubeList<Stored<T>>> {
    const kind = this.#cache.kindOf(index.resource);
    const namespace = namespaceOf(options);
    await this.#informers(kind, namespace, options);
    const found = kind.byIndex(index, key, namespace);
    if (found !== undefined) return listOf<T>(found);
    throw new OpSdkError({
      code: 'runtime/undeclared-index',
      message: `the index ${index.name} of ${index.resource.kind} is looked up, but no controller declares it`,
      fix: ['add it to `indexes` of a controller'],
    });
  }

  isServed(resource: Resource): boolean {
    const kinds = this.#cache.declared(resource);
    return (kinds.length === 0 ? [this.#cache.kindOf(resource)] : kinds).every(({ isServed }) => isServed);
  }

  /** Returns the informers that cover the namespace, once they are synced. Without a namespace, returns all informers. */
  async #informers(
    kind: KindCache,
    namespace: string | undefined,
    options: CallOptions = {},
  ): Promise<readonly Informer[]> {
    const { resource } = kind;
    const informers = kind.informersOf(namespace);
    if (informers.length === 0) {
      throw new OpSdkError({
        code: 'runtime/outside-cache',
        message: `${resourceName(resource)} in namespace ${namespace ?? ''} is outside the namespaces that are watched: ${kind.namespaces?.join(', ') ?? ''}`,
        fix: ["add the namespace to the manager's namespaces, or read the object with client.live"],
      });
    }
    if (informers.every((informer) => informer.hasSynced)) return informers;
    if (!this.#cache.started) {
      throw new OpSdkError({
        code: 'runtime/cache-not-started',
        message: `${resourceName(resource)} is read from the cache before the manager runs`,
        fix: ['read it in a runnable or a reconcile, or read it with client.live'],
      });
    }
    // Fails immediately if a list request has failed, for example because the operator may not read a namespace that was added at run time.
    const refused = informers.filter(({ hasSynced, state }) => !hasSynced && state.error !== undefined);
    if (refused.length > 0)
      throw new OpSdkError(syncFindings(refused, undefined), { cause: refused[0]?.state.error });
    try {
      const synced = Promise.all(informers.map((informer) => informer.synced));
      await waitFor(synced, options.signal ?? this.#signal?.());
    } catch (error) {
      // If the namespaces have changed during the wait and other informers now cover the namespace, waits for those informers.
      const hasChanged = informers.some((informer) => !kind.informers.includes(informer));
      if (hasChanged && kind.informersOf(namespace).length > 0)
        return this.#informers(kind, namespace, options);
      throw error;
    }
    return informers;
  }
}

/** Returns the namespace to read; undefined for the empty string, which means all namespaces, as in the API. */
function namespaceOf({ namespace }: IndexOptions): string | undefined {
  return namespace === '' ? undefined : namespace;
}

/** Returns the found objects as a list, sorted by namespace and name like the lists of the API server. */
function listOf<T extends KubeObject>(found: [string, CachedObject][]): KubeList<Stored<T>> {
  found.sort(([a], [b]) => (a < b ? -1 : 1));
  // The cast is safe because the store of a kind contains only objects of that kind.
  return { metadata: {}, items: found.map(([, object]) => object as Stored<T>) };
}

/** Passes the writes of this operator to the cache, and gives writers access to the cache. */
export class OwnWrites {
  readonly #cache: Cache;

  constructor(cache: Cache) {
    this.#cache = cache;
  }

  /** Updates the cache after a write. `object` is the server's answer, which is the current object. */
  wrote(resource: Resource, object: CachedObject): void {
    for (const kind of this.#cache.declared(resource)) kind.wrote(object);
  }

  /** Updates the cache after a delete request that removed the object. */
  removed(resource: Resource, key: ObjectKey, uid: string): void {
    for (const kind of this.#cache.declared(resource)) kind.removed(key, uid);
  }

  /** Returns the cache of a kind, with the remembered writes to its objects; undefined if the kind is not declared. */
  kindOf(resource: Resource): KindCache | undefined {
    return this.#cache.declared(resource)[0];
  }
}
