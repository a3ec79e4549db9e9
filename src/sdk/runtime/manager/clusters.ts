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
import { inContext, systemClock } from '../../net/index.ts';
import {
  Cache,
  OwnWrites,
  reason,
  resourceName,
  StoreReader,
  type CachedKind,
  type RunReflector,
} from '../cache/index.ts';
import { CacheBackedClient } from '../client/index.ts';
import type { Logger } from '../create-logger.ts';
import { diagnostics } from '../diagnostics.ts';
import { heapLimit } from '../heap-limit.ts';
import { observeRequest, type CacheState } from '../metrics/index.ts';
import { FindingList, type Finding } from '../../../base/errors/index.ts';
import type { ClusterAccess } from './manager-settings.ts';

interface ManagedClusterOptions {
  /** Name of the cluster; empty for the manager's own cluster. */
  readonly name: string;
  readonly access: ClusterAccess;
  readonly namespaces: readonly string[] | undefined;
  readonly kinds: readonly CachedKind[] | undefined;
  /** Field manager of all writes: the manager's name. */
  readonly fieldManager: string;
  readonly log: Logger;
  /** Aborts requests, and also pending waits for the cache. */
  readonly signal: AbortSignal;
}

/** A cluster of a manager: its cache, and clients that read from it. */
export class ManagedCluster {
  readonly cache: Cache;
  readonly access: ClusterAccess;
  readonly #options: ManagedClusterOptions;

  constructor(options: ManagedClusterOptions) {
    const { access, namespaces, kinds, log } = options;
    this.#options = options;
    this.access = access;
    this.cache = new Cache({
      ...{ reflect: access.reflect, namespaces, kinds, log },
      ...{ clock: systemClock, heapLimit: heapLimit() },
    });
  }

  /**
   * Returns a client that reads from the cache and writes with `live`, until the signal aborts. Default of `signal`: the signal in the
   * options of this cluster.
   */
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

  /** Returns the state of each cached kind, for metrics. */
  states(): readonly CacheState[] {
    return this.cache.kinds.map((kind) => ({ kind: this.#nameOf(kind.resource), ...kind.state() }));
  }

  /**
   * Returns why kinds are not synced, one reason per kind; empty if all kinds are synced. Omits kinds for which `isExpected` returns true,
   * unless the API server does not serve them.
   */
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
  /** The manager's name, used as field manager, and as user agent in the audit log of the API server. */
  readonly name: string;
  readonly log: Logger;
}

/** A connected cluster, with its configuration and its connection. */
export interface ConnectedCluster extends ClusterAccess {
  readonly cluster: Cluster;
  readonly connection: Connection;
}

/** Loads the configuration of the cluster and creates the connection that the client and the cache share. Sends no request. */
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
  const reflect: RunReflector = (scope, handler, onState, signal) =>
    new Reflector({ connection, ...scope, handler, onState }).run(signal);
  return {
    connection,
    cluster: found,
    client: new ApiClient(connection, name),
    // In the async context of the manager: a watch that a reconcile starts, by `setNamespaces`, is not part of that reconcile.
    reflect: inContext(reflect),
    close: () => connection.close(),
  };
}

/** Options of `manager.addCluster`, which adds another cluster. */
export interface AddClusterOptions {
  /** Name in logs, metrics and checks: 1 to 63 lower-case letters, digits and `-`. */
  readonly name: string;
  /** A kubeconfig file. Set either this or `cluster`. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig; not allowed together with `cluster`. Default: the current-context of the kubeconfig. */
  readonly context?: string | undefined;
  /** The cluster, as returned by `loadCluster`. */
  readonly cluster?: Cluster | undefined;
  /** Watch only these namespaces of the cluster. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Kinds that are not cached completely, each with the selection of its cached objects: `[cached(Secret, { labelSelector })]`. Default:
   * all objects of all kinds are cached.
   */
  readonly cache?: readonly CachedKind[] | undefined;
}

interface OtherClusterContext {
  /** The manager's name. */
  readonly manager: string;
  /** The names of the other clusters; the name of this cluster is added if `connectOther` succeeds. */
  readonly names: Set<string>;
  readonly log: Logger;
  /**
   * Called after the configuration was read, because the manager may have started in the meantime. @throws if it is too late to add a
   * cluster
   */
  readonly checkTime: () => void;
}

/**
 * Validates the options and reads the configuration of the cluster; sends no request.
 *
 * @throws OpSdkError `runtime/invalid-cluster` and `runtime/invalid-manager` with all findings; `kube/…` like `loadCluster`; the errors of
 * `checkTime`
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

/** @throws OpSdkError with all findings, if the options are invalid */
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

/** Validates the namespaces of a manager; undefined means all namespaces. */
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
