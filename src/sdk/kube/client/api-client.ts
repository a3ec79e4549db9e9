import type { KubeList, KubeObject, ObjectOf, Resource, StoredCopy } from '../../api/index.ts';
import type {
  ApplyObject,
  ApplyOptions,
  CallOptions,
  Client,
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
import { listPages, pageSize, acceptMetadata, toMetadataOnly } from './list-pages.ts';
import { resourcePath, type Query, applyPatch, patchTypes, isStatus, type Status } from './calls.ts';

interface Write {
  readonly verb: string;
  readonly method: string;
  readonly key: { readonly name?: string | undefined; readonly namespace?: string | undefined };
  readonly subresource?: string | undefined;
  readonly body: unknown;
  readonly contentType?: string;
  readonly query?: Query;
}

/** A client for the requests that operators make: reads, and writes of single objects. */
export class ApiClient implements Client {
  readonly source = 'server';
  readonly connection: Connection;
  readonly fieldManager: string;

  constructor(connection: Connection, fieldManager: string) {
    this.connection = connection;
    this.fieldManager = fieldManager;
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
    const { propagationPolicy, preconditions } = options;
    const response = await this.connection.request({
      target: { verb: 'delete', resource, namespace: key.namespace, name: key.name },
      method: 'DELETE',
      path: resourcePath(resource, key),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, preconditions },
      signal: options.signal,
    });
    const answer = response.json<Status | StoredCopy<ObjectOf<R>>>();
    if (isStatus(answer)) return { uid: answer.details?.uid, object: undefined };
    const { uid, deletionTimestamp } = answer.metadata;
    // For some kinds, the API server responds to a deletion with the last state of the deleted object. This object has no
    // `deletionTimestamp`.
    return { uid, object: deletionTimestamp === undefined ? undefined : answer };
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
    body: unknown,
    options: ApplyOptions,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    checkPlace('apply', resource, key);
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
