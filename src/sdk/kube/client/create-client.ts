import type { KubeList, KubeObject, ObjectOf, Resource, StoredCopy } from '../../api/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import {
  createRestMapper,
  discover,
  type ApiDirectory,
  type RestMapper,
  type ServedType,
} from '../discovery/index.ts';
import type { CallOptions, ObjectKey, WriteOptions, Patch } from '../types.ts';
import { watchEvents } from '../watch/run-watch.ts';
import { FindingList, OpSdkError } from '../../../base/errors/index.ts';
import { ApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { checkPlace, checkIntegers, isPathSegment, writeQuery } from './check-request.ts';
import { openConnection, type Connection, type ConnectionOptions } from './connection.ts';
import type {
  DeleteCollectionOptions,
  KubeClient,
  ObjectWatchEvent,
  PageOptions,
  Scale,
  SubresourceClient,
  WatchEventsOptions,
  ClusterClient,
} from './kube-client.ts';
import { pageSize, pagesOf } from './list-pages.ts';
import { resourcePath, patchTypes } from './calls.ts';

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

/**
 * Deletes all selected objects of a kind.
 * @throws OpSdkError `kube/invalid-request` with all findings, ApiError
 */
async function deleteCollection(
  connection: Connection,
  resource: Resource,
  options: DeleteCollectionOptions,
): Promise<void> {
  const { namespace, labelSelector, fieldSelector, propagationPolicy, signal } = options;
  const verb = 'deletecollection';
  checkExtent(resource, options);
  checkPlace(verb, resource, { namespace }, 'new object');
  await connection.request({
    target: { verb, resource, namespace },
    method: 'DELETE',
    path: resourcePath(resource, { namespace }),
    query: { labelSelector, fieldSelector },
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy,
      ...(options.dryRun === true ? { dryRun: ['All'] } : {}),
    },
    signal,
  });
}

/** Refuses to delete objects by an empty selector, for example from an unset variable, because it would select all objects. */
function checkExtent(
  resource: Resource,
  { labelSelector, fieldSelector, all }: DeleteCollectionOptions,
): void {
  const isSelected = (labelSelector ?? '') !== '' || (fieldSelector ?? '') !== '';
  if (isSelected !== (all === true)) return;
  const findings = new FindingList();
  findings.add({
    code: 'kube/invalid-request',
    message: isSelected
      ? `deletecollection ${resource.kind}: expected a selector or all: true, got both`
      : `deletecollection ${resource.kind}: expected a selector or all: true, got neither`,
    where: { object: resource.kind },
    fix: isSelected
      ? ['remove all: true']
      : ['set labelSelector or fieldSelector, or all: true to delete every object'],
  });
  findings.throwIfAny();
}

/**
 * Creates the client for a subresource of one object.
 * @throws OpSdkError `kube/invalid-request`
 */
function subresourceClient(
  connection: Connection,
  fieldManager: string,
  resource: Resource,
  key: ObjectKey,
  subresource: string,
): SubresourceClient {
  checkPlace('use', resource, key);
  if (subresource === '' || !isPathSegment(subresource))
    throw invalid(
      resource,
      key,
      `invalid subresource ${JSON.stringify(subresource)}`,
      'give a name such as scale',
    );
  const { name, namespace } = key;
  const path = resourcePath(resource, { name, namespace, subresource });
  const target = (verb: string) => ({ verb, resource, subresource, namespace, name });

  async function write<T>(
    verb: string,
    method: string,
    body: unknown,
    options: WriteOptions = {},
    contentType?: string,
  ): Promise<T> {
    checkIntegers(verb, resource, key, body);
    const query = writeQuery(options, fieldManager);
    const call = { target: target(verb), method, path, query, body, contentType, signal: options.signal };
    return (await connection.request(call)).json<T>();
  }
  return {
    async get<T>({ signal }: CallOptions = {}) {
      return (await connection.request({ target: target('get'), method: 'GET', path, signal })).json<T>();
    },
    create: (body, options) => write('create', 'POST', body, options),
    update: (body, options) => write('update', 'PUT', body, options),
    patch: (patch: Patch, options) => write('patch', 'PATCH', patch.body, options, patchTypes[patch.type]),
  };
}

/**
 * Sets the number of replicas of an object through its scale subresource.
 * @throws OpSdkError `kube/invalid-request`
 */
async function setScale(
  scale: SubresourceClient,
  resource: Resource,
  key: ObjectKey,
  replicas: number,
  options?: WriteOptions,
): Promise<Scale> {
  if (!Number.isSafeInteger(replicas) || replicas < 0)
    throw invalid(resource, key, `expected replicas as an integer from 0 on, got ${replicas}`, 'round it');
  return scale.patch<Scale>({ type: 'merge', body: { spec: { replicas } } }, options);
}

function invalid(
  { kind }: Pick<KubeObject, 'kind'>,
  { namespace, name }: ObjectKey,
  message: string,
  fix: string,
): OpSdkError {
  const object = `${kind} ${[namespace, name].filter(Boolean).join('/')}`;
  return new OpSdkError({
    code: 'kube/invalid-request',
    message: `${object}: ${message}`,
    where: { object },
    fix: [fix],
  });
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
