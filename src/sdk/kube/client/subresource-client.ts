import type { KubeObject, Resource } from '../../api/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { CallOptions, ObjectKey, Patch, WriteOptions } from '../types.ts';
import { checkIntegers, checkPlace, isPathSegment } from './check-request.ts';
import type { Connection } from './connection.ts';
import type { Scale, SubresourceClient } from './kube-client.ts';
import { patchTypes } from './patch-types.ts';
import { resourcePath } from './resource-path.ts';
import { writeQuery } from './write-query.ts';

/** @throws OpSdkError `kube/invalid-request` */
export function subresourceClient(
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

/** @throws OpSdkError `kube/invalid-request` */
export async function setScale(
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
