import type { KubeList, KubeObject, ObjectOf, Resource, StoredCopy } from '../../api/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import {
  createRestMapper,
  discover,
  type ApiDirectory,
  type RestMapper,
  type ServedType,
} from '../discovery/index.ts';
import type { CallOptions, ObjectKey, WriteOptions } from '../types.ts';
import { watchEvents } from '../watch/watch-events.ts';
import { ApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { checkPlace } from './check-request.ts';
import { openConnection, type Connection, type ConnectionOptions } from './connection.ts';
import { deleteCollection } from './delete-collection.ts';
import type {
  DeleteCollectionOptions,
  KubeClient,
  ObjectWatchEvent,
  PageOptions,
  Scale,
  SubresourceClient,
  WatchEventsOptions,
} from './kube-client.ts';
import { pageSize, pagesOf } from './list-pages.ts';
import { setScale, subresourceClient } from './subresource-client.ts';

export interface ClientOptions extends ConnectionOptions {
  /** The owner of the fields that are written; documented as part of an operator's API. At most 128 characters. */
  readonly fieldManager: string;
  /** The cluster to connect to … */
  readonly cluster?: Cluster;
  /** … or a connection to share. */
  readonly connection?: Connection;
}

/** A client of one API server. Give either `cluster` or `connection`. */
export function createClient(
  options: ClientOptions & ({ readonly cluster: Cluster } | { readonly connection: Connection }),
): KubeClient {
  const { cluster, connection } = options;
  if (connection !== undefined) return new ClusterApiClient(connection, options.fieldManager, false);
  if (cluster === undefined) throw new TypeError('createClient needs a cluster or a connection');
  return new ClusterApiClient(openConnection(cluster, options), options.fieldManager, true);
}

/** Adds to {@link ApiClient} the methods that operators seldom need; apart from it, so that they do not ship in operators. */
class ClusterApiClient extends ApiClient implements KubeClient {
  readonly raw: KubeClient['raw'];
  readonly #ownsConnection: boolean;
  #mapper: RestMapper | undefined;

  constructor(connection: Connection, fieldManager: string, ownsConnection: boolean) {
    super(connection, fieldManager);
    this.#ownsConnection = ownsConnection;
    this.raw = {
      request: ({ method = 'GET', ...rest }) =>
        connection.request({ ...rest, method, target: { verb: `${method} ${rest.path}` } }),
    };
  }

  pages<R extends Resource>(
    resource: R,
    options: PageOptions = {},
  ): AsyncIterable<KubeList<StoredCopy<ObjectOf<R>>>> {
    checkPlace('list', resource, options, 'collection');
    return pagesOf(this.connection, resource, { ...options, limit: options.limit ?? pageSize });
  }

  watch<R extends Resource>(
    resource: R,
    options: WatchEventsOptions = {},
  ): AsyncIterable<ObjectWatchEvent<StoredCopy<ObjectOf<R>>>> {
    checkPlace('watch', resource, options, 'collection');
    return watchEvents(this.connection, resource, options);
  }

  async deleteCollection<R extends Resource>(resource: R, options: DeleteCollectionOptions): Promise<void> {
    await deleteCollection(this.connection, resource, options);
  }

  async getScale<R extends Resource>(resource: R, key: ObjectKey, options?: CallOptions): Promise<Scale> {
    return this.subresource(resource, key, 'scale').get<Scale>(options);
  }

  async scale<R extends Resource>(
    resource: R,
    key: ObjectKey,
    replicas: number,
    options?: WriteOptions,
  ): Promise<Scale> {
    return setScale(this.subresource(resource, key, 'scale'), resource, key, replicas, options);
  }

  subresource<R extends Resource>(resource: R, key: ObjectKey, name: string): SubresourceClient {
    return subresourceClient(this.connection, this.fieldManager, resource, key, name);
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
