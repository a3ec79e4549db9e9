import { trackUpdate, type FieldWrite } from '../apply/field-manager.ts';
import {
  clone,
  equal,
  isJsonObject,
  listOf,
  objectOf,
  jsonTextOf,
  type Json,
  type JsonObject,
} from '../json.ts';
import { valueAt, type ScalePaths } from '../kinds/served-kind.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import {
  badRequest,
  conflict,
  noSuchResource,
  notFound,
  optimisticLock,
  StatusError,
} from '../status-error.ts';
import { unsupportedHere } from '../unsupported.ts';
import type { ObjectStore } from '../store.ts';
import { getObject } from './reader.ts';
import type { ApiRequest } from './request.ts';
import type { Answer, Writer } from './writer.ts';

/** The scale subresource. Source: apiextensions-apiserver `registry/customresource/etcd.go`. */
export function answerScale(store: ObjectStore, writer: Writer, request: ApiRequest): Answer {
  const { scale } = request.kind;
  if (scale === undefined)
    throw request.kind.builtIn === undefined ? notFound(request.kind, request.name) : noSuchResource();
  const object = getObject(store, { ...request, subresource: undefined });
  if (valueAt(object, scale.spec) === undefined) {
    const message = `the spec replicas field ".${scale.spec}" does not exist`;
    throw new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {
      causes: [{ message }],
    });
  }
  const current = scaleOf(scale, object);
  if (request.verb === 'get') return { status: 200, body: current };
  if (request.verb === 'apply')
    throw unsupportedHere('server-side apply of the scale subresource', 'use a merge patch');
  const wanted = wantedScale(request, current);
  const replicas = objectOf(wanted['spec'])['replicas'] ?? 0;
  const name = request.name;
  if (typeof replicas !== 'number')
    throw badRequest(`Scale in version "v1" cannot be handled as a Scale: spec.replicas is not an integer`);
  const version = jsonTextOf(objectOf(wanted['metadata'])['resourceVersion']);
  if (version !== '' && version !== objectOf(object['metadata'])['resourceVersion'])
    throw conflict(request.kind, name, optimisticLock);
  const changed = withValue(clone(object), scale.spec.split('.'), replicas);
  const answer = writer.update(
    { ...request, subresource: undefined, verb: 'update', body: changed },
    trackScale,
  );
  return { ...answer, body: scaleOf(scale, answer.body) };
}

function wantedScale({ verb, body, contentType }: ApiRequest, current: JsonObject): JsonObject {
  if (!isJsonObject(body) && !Array.isArray(body))
    throw badRequest('the object provided is unrecognized (must be of type Scale)');
  const wanted =
    verb === 'update'
      ? body
      : contentType === 'application/json-patch+json'
        ? jsonPatch(current, body)
        : mergePatch(current, body);
  return objectOf(wanted);
}

function scaleOf(paths: ScalePaths, object: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = objectOf(object['metadata']);
  const metadata: JsonObject = {};
  for (const [field, value] of Object.entries({ name, namespace, uid, resourceVersion, creationTimestamp }))
    if (value !== undefined) metadata[field] = value;
  const replicas = valueAt(object, paths.spec);
  const selector = paths.selector === undefined ? undefined : valueAt(object, paths.selector);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata,
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: valueAt(object, paths.status) ?? 0,
      ...(typeof selector === 'string' && selector !== '' ? { selector } : {}),
    },
  };
}

/** The server tracks the number of replicas as that of a Scale: without a time, and not at all if it is 0. */
function trackScale(live: JsonObject, changed: JsonObject, write: FieldWrite): JsonObject {
  const tracked = trackUpdate(live, changed, { ...write, subresource: 'scale' });
  const metadata = objectOf(tracked['metadata']);
  const isZero = equal(live['spec'] ?? null, changed['spec'] ?? null) ? false : hasZero(changed);
  const managedFields = listOf(metadata['managedFields'])
    .map(objectOf)
    .filter(({ subresource }) => subresource !== 'scale' || !isZero)
    .map(({ time, ...entry }): JsonObject =>
      entry['subresource'] === 'scale' || time === undefined ? entry : { ...entry, time },
    );
  return { ...tracked, metadata: { ...metadata, managedFields } };
}

const hasZero = (value: Json | undefined): boolean =>
  value === 0 || (isJsonObject(value) && Object.values(value).some(hasZero));

function withValue(object: JsonObject, path: readonly string[], value: number): JsonObject {
  const [name = '', ...rest] = path;
  return { ...object, [name]: rest.length === 0 ? value : withValue(objectOf(object[name]), rest, value) };
}
