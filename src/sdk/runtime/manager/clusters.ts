import type { Resource } from '../../api/index.ts';
import {
  isTypeNotServed,
  type Client,
  ApiClient,
  loadCluster,
  openConnection,
  Reflector,
  type Cluster,
  type Connection,
} from '../../kube/index.ts';
import { systemClock } from '../../net/index.ts';
import { Cache, OwnWrites, reason, resourceName, StoreReader, type CachedKind } from '../cache/index.ts';
import { CacheBackedClient } from '../client/index.ts';
import type { Logger } from '../create-logger.ts';
import { diagnostics } from '../diagnostics.ts';
import { observeRequest } from '../metrics/index.ts';
import { FindingList, type Finding } from '../../../base/errors/index.ts';
import type { ClusterAccess } from './manager-settings.ts';

interface ManagedClusterOptions {
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

interface ConnectOptions {
  readonly kubeconfig: string | undefined;
  readonly cluster: Cluster | undefined;
  /** The manager's name: the field manager, and what the API server's audit log shows as the user agent. */
  readonly name: string;
  readonly log: Logger;
}

/** A cluster as a manager needs it, and what it was made of. */
export interface ConnectedCluster extends ClusterAccess {
  readonly cluster: Cluster;
  readonly connection: Connection;
}

/** Finds the cluster and makes the one connection that client and cache share. No request is made yet. */
export async function connectCluster({
  kubeconfig,
  cluster,
  name,
  log,
}: ConnectOptions): Promise<ConnectedCluster> {
  const found = cluster ?? (await loadCluster({ kubeconfig }));
  const connection = openConnection(found, {
    userAgent: `${name} opsdk`,
    observe: observeRequest,
    onRefusal: (refusal) => diagnostics.refused(refusal),
    onWarning: (warning) => log.warn({ warning }, 'API server warning'),
  });
  return {
    connection,
    cluster: found,
    client: new ApiClient(connection, name),
    reflect: (scope, handler, onState, signal) =>
      new Reflector({ connection, ...scope, handler, onState }).run(signal),
    close: () => connection.close(),
  };
}

/** Another cluster for `manager.addCluster`. */
export interface AddClusterOptions {
  /** In logs, metrics and checks: 1 to 63 lower-case letters, digits and `-`. */
  readonly name: string;
  /** A kubeconfig file. Give this or `cluster`. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig; not with `cluster`. Default: its current-context. */
  readonly context?: string | undefined;
  /** The cluster, as `loadCluster` gives it. */
  readonly cluster?: Cluster | undefined;
  /** Watch these namespaces of it only. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Selections of the kinds that are not cached whole: `[cached(Secret, { labelSelector })]`. Default: whole. */
  readonly cache?: readonly CachedKind[] | undefined;
}

interface OtherClusterContext {
  /** The manager's name. */
  readonly manager: string;
  /** The names of the other clusters; gets this one's, unless it fails. */
  readonly names: Set<string>;
  readonly log: Logger;
  /** Called when the configuration is read, which takes time. @throws if the cluster comes too late */
  readonly checkTime: () => void;
}

/**
 * Checks the options and reads the configuration of the cluster; no request is made.
 *
 * @throws OpSdkError `runtime/invalid-cluster` and `runtime/invalid-manager` with everything that is wrong; `kube/…` as `loadCluster`;
 * what `checkTime` throws
 */
export async function connectOther(
  options: AddClusterOptions,
  { manager, names, log, checkTime }: OtherClusterContext,
): Promise<ConnectedCluster> {
  checkOptions(options, names);
  const { name, kubeconfig, context } = options;
  names.add(name);
  try {
    const cluster = options.cluster ?? (await loadCluster({ kubeconfig, context }));
    const access = await connectCluster({ kubeconfig: undefined, cluster, name: manager, log });
    try {
      checkTime();
    } catch (error) {
      await access.close();
      throw error;
    }
    return access;
  } catch (error) {
    names.delete(name);
    throw error;
  }
}

/** @throws OpSdkError */
function checkOptions(options: AddClusterOptions, taken: ReadonlySet<string>): void {
  const { name, kubeconfig, context, namespaces } = options;
  const findings = new FindingList();
  const refuse = (message: string, fix: string): void =>
    findings.add({
      code: 'runtime/invalid-cluster',
      message,
      where: { object: `cluster ${JSON.stringify(name)}` },
      fix: [fix],
    });
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
    refuse(`invalid cluster name ${JSON.stringify(name)}`, 'use 1 to 63 lower-case letters, digits and -');
  if (taken.has(name)) refuse(`duplicate cluster name ${name}`, 'give each cluster its own name');
  if ((kubeconfig === undefined) === (options.cluster === undefined))
    refuse(
      `expected either kubeconfig or cluster, got ${kubeconfig === undefined ? 'none' : 'both'}`,
      'name the kubeconfig file of the other cluster, or give what loadCluster returns',
    );
  if (context !== undefined && options.cluster !== undefined)
    refuse(
      `expected context only with kubeconfig, got context ${JSON.stringify(context)} with cluster`,
      'give the context to loadCluster, or name the kubeconfig file',
    );
  findings.add(...checkNamespaces(namespaces));
  findings.throwIfAny();
}

/** Checks the namespaces of a manager; undefined means all of them. */
export function checkNamespaces(namespaces: readonly string[] | undefined): readonly Finding[] {
  if (namespaces === undefined || (namespaces.length > 0 && !namespaces.includes(''))) return [];
  return [
    {
      code: 'runtime/invalid-manager',
      message: `namespaces: expected at least one namespace and no empty name, got ${JSON.stringify(namespaces)}`,
      fix: ['name the namespaces, or leave the option out to watch all'],
    },
  ];
}
