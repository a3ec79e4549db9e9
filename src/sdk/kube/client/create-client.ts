import type { KubeObject, ObjectOf, Resource, StoredCopy } from '../../api/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import {
  createRestMapper,
  discover,
  type ApiDirectory,
  type RestMapper,
  type ServedType,
} from '../discovery/index.ts';
import type { CallOptions } from '../types.ts';
import { watchEvents } from '../watch/run-watch.ts';
import { ApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { checkPlace } from './check-request.ts';
import { openConnection, type Connection, type ConnectionOptions } from './connection.ts';
import type { KubeClient, ObjectWatchEvent, WatchEventsOptions, ClusterClient } from './kube-client.ts';

export interface ClientOptions extends ConnectionOptions {
  /**
   * Name under which the API server records the client as owner of the fields that it writes; document it as part of an operator's API. At
   * most 128 characters.
   */
  readonly fieldManager: string;
  /** The cluster to connect to. Set either `cluster` or `connection`. */
  readonly cluster?: Cluster;
  /** An existing connection to share. Set either `cluster` or `connection`. */
  readonly connection?: Connection;
}

/** Creates a client of one API server. Give either `cluster` or `connection`. */
export function createClient(
  options: ClientOptions & ({ readonly cluster: Cluster } | { readonly connection: Connection }),
): KubeClient {
  const { cluster, connection } = options;
  if (connection !== undefined) return new ClusterApiClient(connection, options.fieldManager, false);
  if (cluster === undefined) throw new TypeError('createClient needs a cluster or a connection');
  return new ClusterApiClient(openConnection(cluster, options), options.fieldManager, true);
}

/**
 * Extends {@link ApiClient} by the methods that operators seldom need. It is a separate class, so that these methods are not bundled into
 * operators.
 */
class ClusterApiClient extends ApiClient implements KubeClient {
  readonly #ownsConnection: boolean;
  #mapper: RestMapper | undefined;

  constructor(connection: Connection, fieldManager: string, ownsConnection: boolean) {
    super(connection, fieldManager);
    this.#ownsConnection = ownsConnection;
  }

  watch<R extends Resource>(
    resource: R,
    options: WatchEventsOptions = {},
  ): AsyncIterable<ObjectWatchEvent<StoredCopy<ObjectOf<R>>>> {
    checkPlace('watch', resource, options, 'collection');
    return watchEvents(this.connection, resource, options);
  }

  async resourceOf(
    { apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>,
    options?: CallOptions,
  ): Promise<ServedType['resource']> {
    const known = await this.#mapper?.find(apiVersion, kind, options);
    if (known !== undefined) return known.resource;
    const mapper = createRestMapper(this.connection);
    const found = await mapper.find(apiVersion, kind, options);
    this.#mapper = mapper;
    if (found === undefined) throw new ApiError({ verb: `find ${apiVersion} ${kind}` }, 404, '');
    return found.resource;
  }

  discover(options?: CallOptions): Promise<ApiDirectory> {
    return discover(this.connection, options);
  }

  async close(): Promise<void> {
    if (this.#ownsConnection) await this.connection.close();
  }
}

/** Options for the client of one cluster. */
export interface ClusterClientOptions {
  /** The cluster, from `loadCluster`. */
  readonly cluster: Cluster;
  /** Name under which the API server records the client as owner of the fields that it writes, 1 to 128 characters. */
  readonly fieldManager: string;
  /** Value of the User-Agent header. Default: `op-sdk`. */
  readonly userAgent?: string;
  /** Milliseconds until a request is aborted; a watch is aborted only if its headers have not arrived by then. Default: 90,000. */
  readonly requestTimeout?: number;
  /**
   * Receives warnings of the API server and warnings about rounded integers, each distinct text only once. Default: process.emitWarning.
   */
  readonly onWarning?: (text: string) => void;
}

/**
 * Creates a client of any cluster, independent of a manager, for scripts, tests and further clusters. The client connects at the first
 * request; the caller must close it.
 * @example
 * const client = createClusterClient({ cluster: await loadCluster(), fieldManager: 'my-script' });
 * for await (const { items } of client.pages(Pod)) console.log(items.length);
 * await client.close();
 */
export function createClusterClient(options: ClusterClientOptions): ClusterClient {
  return createClient(options);
}
