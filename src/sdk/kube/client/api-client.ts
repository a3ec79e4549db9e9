import type { Duplex } from 'node:stream';
import type { KubeList, KubeObject, ObjectOf, Resource, StoredCopy } from '../../api/index.ts';
import type {
  ApplyObject,
  ApplyOptions,
  CallOptions,
  CreateObject,
  DeepPartial,
  DeleteOptions,
  DeleteResult,
  ListOptions,
  MergePatch,
  ObjectKey,
  Patch,
  StatusOf,
  WriteOptions,
} from '../types.ts';
import { isNotFound } from './api-error.ts';
import {
  checkApplied,
  checkIntegers,
  checkPlace,
  checkWhole,
  withType,
  writeQuery,
} from './check-request.ts';
import type { Connection } from './connection.ts';
import type { ExecOptions, ExecResult } from '../live/exec.ts';
import type { PodLogOptions } from '../live/pod-log.ts';
import type {
  Client,
  DeleteCollectionOptions,
  EvictOptions,
  LiveClient,
  PageOptions,
  Scale,
  SubresourceClient,
} from './live-client.ts';
import { listPages, pageSize, pagesOf, acceptMetadata, toMetadataOnly } from './list-pages.ts';
import { resourcePath, type Query, applyPatch, patchTypes, isStatus, type Status } from './calls.ts';

/** Loads what few operators need. */
const loadLive = () => import('../live/index.ts');

interface Write {
  readonly verb: string;
  readonly method: string;
  readonly key: { readonly name?: string | undefined; readonly namespace?: string | undefined };
  readonly subresource?: string | undefined;
  readonly body: unknown;
  readonly contentType?: string;
  readonly query?: Query;
}

/**
 * A client for the requests that operators make: reads, and writes of single objects. Code that few operators need is loaded with the first
 * request that needs it.
 */
export class ApiClient implements Client {
  readonly source = 'server';
  readonly connection: Connection;
  readonly fieldManager: string;
  readonly raw: LiveClient['raw'];

  constructor(connection: Connection, fieldManager: string) {
    this.connection = connection;
    this.fieldManager = fieldManager;
    this.raw = {
      request: ({ method = 'GET', ...rest }) =>
        connection.request({ ...rest, method, target: { verb: `${method} ${rest.path}` } }),
    };
  }

  async get<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options: CallOptions = {},
  ): Promise<StoredCopy<ObjectOf<R>>> {
    checkPlace('get', resource, key);
    const response = await this.connection.request({
      target: { verb: 'get', resource, namespace: key.namespace, name: key.name },
      method: 'GET',
      path: resourcePath(resource, key),
      ...(resource.metadataOnly === true ? { headers: { accept: acceptMetadata } } : {}),
      signal: options.signal,
    });
    const object = response.json<StoredCopy<ObjectOf<R>>>();
    return resource.metadataOnly === true ? toMetadataOnly(resource, object) : object;
  }

  async find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options: CallOptions = {},
  ): Promise<StoredCopy<ObjectOf<R>> | undefined> {
    try {
      return await this.get(resource, key, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list<R extends Resource>(
    resource: R,
    options: ListOptions = {},
  ): Promise<KubeList<StoredCopy<ObjectOf<R>>>> {
    checkPlace('list', resource, options, 'collection');
    return listPages(this.connection, resource, { ...options, limit: pageSize });
  }

  async create<R extends Resource>(
    resource: R,
    object: CreateObject<ObjectOf<R>>,
    options: WriteOptions = {},
  ): Promise<StoredCopy<ObjectOf<R>>> {
    const body = withType('create', resource, object);
    // Code without types may leave the metadata out.
    const { namespace, name, generateName } = (body.metadata ?? {}) as Partial<KubeObject['metadata']>;
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
  ): Promise<StoredCopy<ObjectOf<R>>> {
    return this.#replace(resource, object, undefined, options);
  }

  async updateStatus<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options: WriteOptions = {},
  ): Promise<StoredCopy<ObjectOf<R>>> {
    return this.#replace(resource, object, 'status', options);
  }

  async patch<R extends Resource>(
    resource: R,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions & { readonly subresource?: string } = {},
  ): Promise<StoredCopy<ObjectOf<R>>> {
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

  mergePatch<R extends Resource>(
    resource: R,
    key: ObjectKey,
    change: MergePatch<ObjectOf<R>>,
    options?: WriteOptions & { readonly subresource?: 'status' },
  ): Promise<StoredCopy<ObjectOf<R>>> {
    return this.patch(resource, key, { type: 'merge', body: change }, options);
  }

  async apply<R extends Resource>(
    resource: R,
    object: ApplyObject<ObjectOf<R>>,
    options: ApplyOptions = {},
  ): Promise<StoredCopy<ObjectOf<R>>> {
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
  ): Promise<StoredCopy<ObjectOf<R>>> {
    const { name, namespace } = key;
    const metadata = namespace === undefined ? { name } : { name, namespace };
    const body = { apiVersion: resource.apiVersion, kind: resource.kind, metadata, status };
    return this.#apply(resource, key, 'status', body, options);
  }

  async delete<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<DeleteResult<StoredCopy<ObjectOf<R>>>> {
    checkPlace('delete', resource, key);
    const { gracePeriodSeconds, propagationPolicy, preconditions } = options;
    const asked = this.connection.request({
      target: { verb: 'delete', resource, namespace: key.namespace, name: key.name },
      method: 'DELETE',
      path: resourcePath(resource, key),
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds,
        propagationPolicy,
        preconditions,
      },
      signal: options.signal,
    });
    const response = await asked.catch((error: unknown) => {
      if (options.ignoreNotFound !== true || !isNotFound(error)) throw error;
      return undefined;
    });
    if (response === undefined) return { uid: undefined, object: undefined };
    const answer = response.json<Status | StoredCopy<ObjectOf<R>>>();
    if (isStatus(answer)) return { uid: answer.details?.uid, object: undefined };
    const { uid, deletionTimestamp } = answer.metadata;
    // For some kinds, the API server responds to a deletion with the last state of the deleted object. This object has no
    // `deletionTimestamp`.
    return { uid, object: deletionTimestamp === undefined ? undefined : answer };
  }

  pages<R extends Resource>(
    resource: R,
    options: PageOptions = {},
  ): AsyncIterable<KubeList<StoredCopy<ObjectOf<R>>>> {
    checkPlace('list', resource, options, 'collection');
    return pagesOf(this.connection, resource, { ...options, limit: options.limit ?? pageSize });
  }

  async deleteCollection<R extends Resource>(resource: R, options: DeleteCollectionOptions): Promise<void> {
    await (await loadLive()).deleteCollection(this.connection, resource, options);
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
    const scale = this.subresource(resource, key, 'scale');
    return (await loadLive()).setScale(scale, resource, key, replicas, options);
  }

  subresource<R extends Resource>(resource: R, key: ObjectKey, name: string): SubresourceClient {
    checkPlace('use', resource, { ...key, subresource: name });
    const load = async (): Promise<SubresourceClient> =>
      (await loadLive()).subresourceClient(this.connection, this.fieldManager, resource, key, name);
    return {
      get: async (options) => (await load()).get(options),
      create: async (body, options) => (await load()).create(body, options),
      update: async (body, options) => (await load()).update(body, options),
      patch: async (patch, options) => (await load()).patch(patch, options),
    };
  }

  async evict(pod: ObjectKey, options: EvictOptions = {}): Promise<void> {
    await (await loadLive()).evict(this.connection, pod, options);
  }

  async *logs(pod: ObjectKey, options: PodLogOptions = {}): AsyncGenerator<string, void, undefined> {
    yield* (await loadLive()).podLog(this.connection, pod, options);
  }

  async exec(pod: ObjectKey, options: ExecOptions): Promise<ExecResult> {
    return (await loadLive()).exec(this.connection, pod, options);
  }

  async portForward(pod: ObjectKey, port: number, options: CallOptions = {}): Promise<Duplex> {
    return (await loadLive()).portForward(this.connection, pod, port, options);
  }

  async #replace<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    subresource: 'status' | undefined,
    options: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>> {
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
    object: { readonly metadata: object },
    options: ApplyOptions,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    checkPlace('apply', resource, key);
    const { resourceVersion } = options;
    const body =
      resourceVersion === undefined
        ? object
        : { ...object, metadata: { ...object.metadata, resourceVersion } };
    checkIntegers('apply', resource, key, body);
    const write: Write = {
      verb: 'apply',
      method: 'PATCH',
      key,
      subresource,
      body,
      // The object is sent as JSON although the content type is YAML, because JSON is valid YAML.
      contentType: applyPatch,
      query: { force: options.force ?? true },
    };
    return this.#write(resource, write, options);
  }

  async #write<R extends Resource>(
    resource: R,
    write: Write,
    options: WriteOptions,
    path?: string,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    const { verb, method, key, subresource, body, contentType } = write;
    if (verb !== 'patch') checkWhole(verb, resource);
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
    return response.json<StoredCopy<ObjectOf<R>>>();
  }
}
