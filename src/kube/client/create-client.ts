import type { KubeList, KubeObject, ObjectOf, Resource } from '../../api/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type {
  ApplyObject,
  ApplyOptions,
  CallOptions,
  CreateObject,
  DeepPartial,
  DeleteOptions,
  DeleteResult,
  ListOptions,
  ObjectKey,
  Patch,
  StatusOf,
  WriteOptions,
} from '../types.ts';
import {
  createRestMapper,
  discover,
  type ApiDirectory,
  type RestMapper,
  type ServedType,
} from '../discovery/index.ts';
import { watchEvents } from '../watch/watch-events.ts';
import { ApiError, isNotFound } from './api-error.ts';
import { checkApplied, checkIntegers, checkPlace, withType } from './check-request.ts';
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
import { listPages, pagesOf } from './list-pages.ts';
import { patchTypes } from './patch-types.ts';
import { acceptMetadata, toMetadataOnly } from './partial-metadata.ts';
import { resourcePath, type Query } from './resource-path.ts';
import { isStatus, type Status } from './status.ts';
import { setScale, subresourceClient } from './subresource-client.ts';
import { writeQuery } from './write-query.ts';

export interface ClientOptions extends ConnectionOptions {
  /** The owner of the fields that are written; documented as part of an operator's API. At most 128 characters. */
  readonly fieldManager: string;
  /** The cluster to connect to … */
  readonly cluster?: Cluster;
  /** … or a connection to share. */
  readonly connection?: Connection;
}

/** Objects a page of a list, as in client-go. */
const pageSize = 500;

/** A client of one API server. Give either `cluster` or `connection`. */
export function createClient(
  options: ClientOptions & ({ readonly cluster: Cluster } | { readonly connection: Connection }),
): KubeClient {
  const { cluster, connection } = options;
  if (connection !== undefined) return new ApiClient(connection, options.fieldManager, false);
  if (cluster === undefined) throw new TypeError('createClient needs a cluster or a connection');
  return new ApiClient(openConnection(cluster, options), options.fieldManager, true);
}

interface Write {
  readonly verb: string;
  readonly method: string;
  readonly key: { readonly name?: string | undefined; readonly namespace?: string | undefined };
  readonly subresource?: string | undefined;
  readonly body: unknown;
  readonly contentType?: string;
  readonly query?: Query;
}

class ApiClient implements KubeClient {
  readonly source = 'server';
  readonly connection: Connection;
  readonly fieldManager: string;
  readonly raw: KubeClient['raw'];
  readonly #ownsConnection: boolean;
  #mapper: RestMapper | undefined;

  constructor(connection: Connection, fieldManager: string, ownsConnection: boolean) {
    this.connection = connection;
    this.fieldManager = fieldManager;
    this.#ownsConnection = ownsConnection;
    this.raw = {
      request: ({ method = 'GET', ...rest }) =>
        connection.request({ ...rest, method, target: { verb: `${method} ${rest.path}` } }),
    };
  }

  async get<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options: CallOptions = {},
  ): Promise<ObjectOf<R>> {
    checkPlace('get', resource, key);
    const response = await this.connection.request({
      target: { verb: 'get', resource, namespace: key.namespace, name: key.name },
      method: 'GET',
      path: resourcePath(resource, key),
      ...(resource.metadataOnly === true ? { headers: { accept: acceptMetadata } } : {}),
      signal: options.signal,
    });
    const object = response.json<ObjectOf<R>>();
    return resource.metadataOnly === true ? toMetadataOnly(resource, object) : object;
  }

  async find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options: CallOptions = {},
  ): Promise<ObjectOf<R> | undefined> {
    try {
      return await this.get(resource, key, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list<R extends Resource>(resource: R, options: ListOptions = {}): Promise<KubeList<ObjectOf<R>>> {
    checkPlace('list', resource, options, 'collection');
    return listPages(this.connection, resource, { ...options, limit: pageSize });
  }

  async create<R extends Resource>(
    resource: R,
    object: CreateObject<ObjectOf<R>>,
    options: WriteOptions = {},
  ): Promise<ObjectOf<R>> {
    const body = withType('create', resource, object);
    const { namespace, name, generateName } = body.metadata as KubeObject['metadata'];
    checkPlace(
      'create',
      resource,
      { namespace, name },
      (generateName ?? '') === '' ? 'object' : 'new object',
    );
    checkIntegers('create', resource, { namespace, name }, body);
    const path = resourcePath(resource, { namespace });
    return this.#write(
      resource,
      { verb: 'create', method: 'POST', key: { namespace, name }, body },
      options,
      path,
    );
  }

  async update<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options: WriteOptions = {},
  ): Promise<ObjectOf<R>> {
    return this.#replace(resource, object, undefined, options);
  }

  async updateStatus<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options: WriteOptions = {},
  ): Promise<ObjectOf<R>> {
    return this.#replace(resource, object, 'status', options);
  }

  async patch<R extends Resource>(
    resource: R,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions & { readonly subresource?: string } = {},
  ): Promise<ObjectOf<R>> {
    checkPlace('patch', resource, key);
    checkIntegers('patch', resource, key, patch.body);
    const { subresource } = options;
    const write = {
      verb: 'patch',
      method: 'PATCH',
      key,
      subresource,
      body: patch.body,
      contentType: patchTypes[patch.type],
    };
    return this.#write(resource, write, options);
  }

  async apply<R extends Resource>(
    resource: R,
    object: ApplyObject<ObjectOf<R>>,
    options: ApplyOptions = {},
  ): Promise<ObjectOf<R>> {
    checkApplied(resource, object);
    const body = withType('apply', resource, object);
    const { namespace, name } = body.metadata as KubeObject['metadata'];
    return this.#apply(resource, { name: name ?? '', namespace }, undefined, body, options);
  }

  async applyStatus<R extends Resource>(
    resource: R,
    key: ObjectKey,
    status: DeepPartial<NonNullable<StatusOf<ObjectOf<R>>>>,
    options: ApplyOptions = {},
  ): Promise<ObjectOf<R>> {
    const { name, namespace } = key;
    const metadata = namespace === undefined ? { name } : { name, namespace };
    const body = { apiVersion: resource.apiVersion, kind: resource.kind, metadata, status };
    return this.#apply(resource, key, 'status', body, options);
  }

  async delete<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<DeleteResult<ObjectOf<R>>> {
    checkPlace('delete', resource, key);
    const { propagationPolicy, preconditions } = options;
    const response = await this.connection.request({
      target: { verb: 'delete', resource, namespace: key.namespace, name: key.name },
      method: 'DELETE',
      path: resourcePath(resource, key),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, preconditions },
      signal: options.signal,
    });
    const answer = response.json<Status | ObjectOf<R>>();
    if (isStatus(answer)) return { uid: answer.details?.uid, object: undefined };
    return { uid: answer.metadata.uid, object: answer };
  }

  pages<R extends Resource>(resource: R, options: PageOptions = {}): AsyncIterable<KubeList<ObjectOf<R>>> {
    checkPlace('list', resource, options, 'collection');
    return pagesOf(this.connection, resource, { ...options, limit: options.limit ?? pageSize });
  }

  watch<R extends Resource>(
    resource: R,
    options: WatchEventsOptions = {},
  ): AsyncIterable<ObjectWatchEvent<ObjectOf<R>>> {
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

  async #replace<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    subresource: 'status' | undefined,
    options: WriteOptions,
  ): Promise<ObjectOf<R>> {
    const body = withType('update', resource, object);
    const { namespace, name } = body.metadata;
    checkPlace('update', resource, { namespace, name });
    checkIntegers('update', resource, { namespace, name }, body);
    return this.#write(
      resource,
      { verb: 'update', method: 'PUT', key: { namespace, name }, subresource, body },
      options,
    );
  }

  async #apply<R extends Resource>(
    resource: R,
    key: ObjectKey,
    subresource: 'status' | undefined,
    body: unknown,
    options: ApplyOptions,
  ): Promise<ObjectOf<R>> {
    checkPlace('apply', resource, key);
    checkIntegers('apply', resource, key, body);
    const write: Write = {
      verb: 'apply',
      method: 'PATCH',
      key,
      subresource,
      body,
      // JSON is YAML.
      contentType: 'application/apply-patch+yaml',
      query: { force: options.force ?? true },
    };
    return this.#write(resource, write, options);
  }

  async #write<R extends Resource>(
    resource: R,
    write: Write,
    options: WriteOptions,
    path?: string,
  ): Promise<ObjectOf<R>> {
    const { verb, method, key, subresource, body, contentType } = write;
    const response = await this.connection.request({
      target: { verb, resource, subresource, namespace: key.namespace, name: key.name },
      method,
      path: path ?? resourcePath(resource, { ...key, subresource }),
      query: {
        ...writeQuery(options, this.fieldManager),
        ...write.query,
      },
      body,
      contentType,
      signal: options.signal,
    });
    return response.json<ObjectOf<R>>();
  }
}
