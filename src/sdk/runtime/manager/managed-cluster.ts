import type { Resource } from '../../api/index.ts';
import { isTypeNotServed } from '../../kube/index.ts';
import type { Client } from '../../kube/types.ts';
import { systemClock } from '../../net/index.ts';
import { Cache, OwnWrites, reason, resourceName, StoreReader, type CachedKind } from '../cache/index.ts';
import { CacheBackedClient } from '../client/index.ts';
import type { Logger } from '../create-logger.ts';
import type { ClusterAccess } from './cluster-access.ts';

export interface ManagedClusterOptions {
  /** Empty: the manager's own cluster. */
  readonly name: string;
  readonly access: ClusterAccess;
  readonly namespaces: readonly string[] | undefined;
  readonly kinds: readonly CachedKind[] | undefined;
  /** The manager's name. */
  readonly fieldManager: string;
  readonly log: Logger;
  /** Ends requests and waits for the cache. */
  readonly signal: AbortSignal;
}

/** A cluster that a manager works with: its cache, and clients that read it. */
export class ManagedCluster {
  readonly cache: Cache;
  readonly access: ClusterAccess;
  readonly #options: ManagedClusterOptions;

  constructor(options: ManagedClusterOptions) {
    const { access, namespaces, kinds, log } = options;
    this.#options = options;
    this.access = access;
    this.cache = new Cache({ reflect: access.reflect, namespaces, kinds, log, clock: systemClock });
  }

  /** Reads the cache, and writes by `live`, until the signal. Default: that of the options. */
  client<S extends 'cache' | 'cluster'>(
    source: S,
    live: Client,
    signal = this.#options.signal,
  ): CacheBackedClient<S> {
    const { fieldManager } = this.#options;
    return new CacheBackedClient({
      source,
      cached: new StoreReader(this.cache, () => signal),
      live,
      writes: new OwnWrites(this.cache),
      fieldManager,
      signal,
    });
  }

  /** Each watched kind, and whether it is synced. */
  get synced(): readonly (readonly [kind: string, synced: boolean])[] {
    return this.cache.informers.map(({ resource, state }) => [this.#nameOf(resource), state.synced] as const);
  }

  /** Why kinds are not synced; empty if all are. Those that are not served come with the rest, whatever is expected of them. */
  missing(isExpected: (resource: Resource) => boolean = () => false): readonly string[] {
    return this.cache.unsynced
      .filter(({ resource, state }) => isTypeNotServed(state.error) || !isExpected(resource))
      .map(({ resource, state }) => `${this.#nameOf(resource)}: ${reason(state.error)}`);
  }

  #nameOf(resource: Parameters<typeof resourceName>[0]): string {
    const { name } = this.#options;
    return name === '' ? resourceName(resource) : `${name}/${resourceName(resource)}`;
  }
}
