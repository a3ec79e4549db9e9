import { objectOf, type JsonObject } from '../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../base/util/json-map.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { badRequest, expired, notFound } from '../status-error.ts';
import type { ObjectStore } from '../store.ts';
import { collectionId, objectKey, type ApiRequest, inForm, type Form, selection } from './route.ts';

/** Start of the next page of a list. */
interface PageToken {
  readonly revision: number;
  readonly after: string;
}

/**
 * Returns the object that a request names.
 * @throws StatusError 404 if the object does not exist
 */
export function getObject(store: ObjectStore, request: ApiRequest): JsonObject {
  const { kind, namespace, name } = request;
  const object = store.get(collectionId(kind), objectKey(kind.namespaced ? namespace : '', name));
  if (object === undefined) throw notFound(kind, name);
  return inVersion(kind, object);
}

/** Returns an object in another version of its kind. Only `apiVersion` is changed, as with the conversion strategy None. */
export function inVersion(kind: ServedKind, object: JsonObject): JsonObject {
  return object['apiVersion'] === kind.apiVersion ? object : { ...object, apiVersion: kind.apiVersion };
}

/**
 * Returns the list that a request selects.
 * @throws StatusError 400, 410
 */
export function listObjects(store: ObjectStore, request: ApiRequest, form: Form): JsonObject {
  const { kind, namespace, query } = request;
  const limit = Number(query.get('limit') ?? '0');
  const token = readToken(query.get('continue') ?? '');
  checkRequestedVersions(query, token !== undefined, store.revision);
  const test = selection(kind, kind.namespaced ? namespace : '', query);
  const revision = token?.revision ?? store.revision;
  const all = stateAt(store, collectionId(kind), revision)
    .filter(([key]) => token === undefined || key > token.after)
    .filter(([, object]) => test(object));
  const page = limit > 0 ? all.slice(0, limit) : all;
  const last = page.at(-1);
  const more = all.length > page.length && last !== undefined;
  const isSelected = (query.get('labelSelector') ?? '') !== '' || (query.get('fieldSelector') ?? '') !== '';
  const metadata: JsonObject = {
    ...(more
      ? { continue: writeToken({ revision, after: last[0] }) }
      : kind.builtIn === undefined
        ? { continue: '' }
        : {}),
    ...(more && !isSelected ? { remainingItemCount: all.length - page.length } : {}),
    resourceVersion: String(revision),
  };
  if (form === 'metadata') {
    const items = page.map(([, object]) => inForm(inVersion(kind, object), 'metadata'));
    return {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: partialListMetadata(metadata),
      items,
    };
  }
  const items = page.map(([, object]) => asItem(kind, inVersion(kind, object)));
  return { kind: kind.listKind, apiVersion: kind.apiVersion, metadata, items };
}

function partialListMetadata({ continue: token, ...rest }: JsonObject): JsonObject {
  return token === '' || token === undefined ? rest : { ...rest, continue: token };
}

/** Returns an object as a list item. Items of lists of built-in kinds have no `apiVersion` and `kind`. */
function asItem({ builtIn }: ServedKind, object: JsonObject): JsonObject {
  if (builtIn === undefined) return object;
  const { apiVersion: _, kind: __, ...rest } = object;
  return rest;
}

/** Returns the state of a collection at an earlier revision, by reverting the changes made since. */
function stateAt(
  store: ObjectStore,
  id: string,
  revision: number,
): readonly (readonly [string, JsonObject])[] {
  if (revision >= store.revision) return store.list(id);
  const objects = new Map(store.list(id));
  for (const event of [...store.collection(id).history].reverse()) {
    if (event.revision <= revision) break;
    const metadata = objectOf(event.object['metadata']);
    const key = objectKey(jsonTextOf(metadata['namespace']), jsonTextOf(metadata['name']));
    if (event.before === undefined) objects.delete(key);
    else objects.set(key, event.before);
  }
  return [...objects].sort(([left], [right]) => (left < right ? -1 : 1));
}

function writeToken(token: PageToken): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function readToken(text: string): PageToken | undefined {
  if (text === '') return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as PageToken;
  } catch {
    throw badRequest('continue key is not valid: illegal base64 data at input byte 0');
  }
}

/**
 * Checks the `resourceVersion` parameters of a list request.
 * @throws StatusError 400, 410
 */
export function checkRequestedVersions(query: URLSearchParams, hasToken: boolean, revision: number): void {
  const version = query.get('resourceVersion') ?? '';
  if (version === '') return;
  if (!/^\d+$/.test(version))
    throw badRequest(
      `invalid resource version ${JSON.stringify(version)}: strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`,
    );
  if (hasToken) throw badRequest('specifying resource version is not allowed when using continue');
  if (query.get('resourceVersionMatch') === 'Exact' && Number(version) > revision)
    throw expired(`The resourceVersion for the provided list is too old.`);
}
