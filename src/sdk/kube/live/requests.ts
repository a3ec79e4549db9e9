import type { Resource } from '../../api/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import { checkPlace, checkIntegers, writeQuery } from '../client/check-request.ts';
import type { Connection } from '../client/connection.ts';
import { patchTypes, resourcePath } from '../client/calls.ts';
import type {
  DeleteCollectionOptions,
  EvictOptions,
  Scale,
  SubresourceClient,
} from '../client/live-client.ts';
import type { CallOptions, ObjectKey, Patch, WriteOptions } from '../types.ts';
import { invalidRequest } from './invalid-request.ts';
import { podResource } from './pod-resource.ts';

/**
 * Evicts a Pod. Ignores a Retry-After header, because a budget may forbid the eviction for hours. The caller decides about retries.
 * @throws ApiError, OpSdkError `kube/invalid-request`
 */
export async function evict(
  connection: Connection,
  pod: ObjectKey,
  { gracePeriodSeconds, preconditions, dryRun, signal }: EvictOptions,
): Promise<void> {
  checkPlace('evict', podResource, pod);
  const { name, namespace } = pod;
  const subresource = 'eviction';
  await connection.request({
    target: { verb: 'create', resource: podResource, subresource, namespace, name },
    method: 'POST',
    path: resourcePath(podResource, { namespace, name, subresource }),
    body: {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
      deleteOptions: {
        gracePeriodSeconds,
        preconditions,
        ...(dryRun === true ? { dryRun: ['All'] } : {}),
      },
    },
    honourRetryAfter: false,
    signal,
  });
}

/**
 * Deletes all selected objects of a kind.
 * @throws OpSdkError `kube/invalid-request` with all findings, ApiError
 */
export async function deleteCollection(
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

/** Creates the client for a subresource of one object, whose place was checked. */
export function subresourceClient(
  connection: Connection,
  fieldManager: string,
  resource: Resource,
  key: ObjectKey,
  subresource: string,
): SubresourceClient {
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
export async function setScale(
  scale: SubresourceClient,
  resource: Resource,
  key: ObjectKey,
  replicas: number,
  options?: WriteOptions,
): Promise<Scale> {
  if (!Number.isSafeInteger(replicas) || replicas < 0)
    throw invalidRequest(
      resource,
      key,
      `expected replicas as an integer from 0 on, got ${replicas}`,
      'round it',
    );
  return scale.patch<Scale>({ type: 'merge', body: { spec: { replicas } } }, options);
}
