import type { Clock } from '../../sdk/net/index.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  forbiddenValue,
  invalidValue,
  clone,
  listOf,
} from '../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../base/util/json-map.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { type ServedKind, valueAt, type ScalePaths, type KindRegistry } from './kinds/served-kind.ts';
import { selectorText } from './kinds/rules/checks.ts';
import { Deleter } from './requests/deleter.ts';
import {
  type ApiRequest,
  collectionId,
  formOf,
  inForm,
  type Form,
  selection,
  type Test,
} from './requests/route.ts';
import { PodActions } from './requests/pod-actions.ts';
import { Namespaces } from './requests/write-parts.ts';
import { getObject, inVersion, listObjects, checkRequestedVersions } from './requests/reader.ts';
import { Writer, type Answer } from './requests/writer.ts';
import {
  noSuchResource,
  notFound,
  invalidAnswer,
  badRequest,
  conflict,
  optimisticLock,
  StatusError,
  jsonPatch,
  mergePatch,
  unsupportedHere,
} from './status-error.ts';
import { ObjectStore, type StoredEvent } from './store.ts';
import { trackUpdate, type FieldWrite } from './apply/field-manager.ts';

interface ServerOptions {
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  /** Called before an object of a kind without rules is created. */
  readonly onNoDefaults?: (kind: ServedKind) => void;
}

/** The in-memory API server. Answers requests for objects; `collectGarbage` does the work of the Kubernetes garbage collector. */
export class Server {
  readonly store = new ObjectStore();
  readonly kinds: KindRegistry;
  readonly #clock: Clock;
  readonly #writer: Writer;
  readonly #deleter: Deleter;
  readonly #pods: PodActions;
  readonly #collector: GarbageCollector;

  constructor({ kinds, clock, onNoDefaults }: ServerOptions) {
    const namespaces = new Namespaces(this.store);
    this.kinds = kinds;
    this.#clock = clock;
    const today = (): Date => clock.today();
    this.#writer = new Writer({ store: this.store, namespaces, today, onNoDefaults });
    this.#deleter = new Deleter(this.store, today);
    this.#pods = new PodActions({
      store: this.store,
      deleter: this.#deleter,
      writer: this.#writer,
      kinds,
      today,
    });
    this.#collector = new GarbageCollector(this.store, kinds, this.#deleter, namespaces, today);
  }

  /** Answers a request other than a watch. @throws StatusError, OpSdkError `testapi/unsupported` */
  answer(request: ApiRequest): Answer {
    checkQuery(request);
    const form = formOf(request.headers['accept']);
    const answer = this.#answer(request, form);
    const { kind } = request;
    const isList = request.verb === 'list' || request.verb === 'deletecollection';
    if (isList || form === 'whole' || answer.body['kind'] !== kind.kind)
      return { ...answer, body: ordered(answer.body) };
    return { ...answer, body: inForm(inVersion(kind, answer.body), form) };
  }

  #answer(request: ApiRequest, form: Form): Answer {
    const { verb, subresource, kind } = request;
    if (subresource === 'scale') return answerScale(this.store, this.#writer, request);
    if (verb === 'create' && kind.apiVersion === 'v1' && kind.kind === 'Pod') {
      if (subresource === 'eviction') return this.#pods.evict(request);
      if (subresource === 'binding') return this.#pods.bind(request);
    }
    if (subresource !== undefined && subresource !== 'status')
      throw unsupportedHere(`${kind.plural}/${subresource}`);
    if (subresource === 'status' && !kind.hasStatus)
      throw kind.builtIn === undefined ? notFound(kind, request.name) : noSuchResource();
    switch (verb) {
      case 'get':
        return { status: 200, body: getObject(this.store, request) };
      case 'list':
        return { status: 200, body: listObjects(this.store, request, form) };
      case 'create':
        return this.#writer.create(request);
      case 'update':
        return this.#writer.update(request);
      case 'patch':
        return this.#writer.patch(request);
      case 'apply':
        return this.#writer.apply(request);
      case 'delete':
        return this.#deleter.delete(request);
      case 'deletecollection':
        return this.#deleter.deleteCollection(request);
      case 'watch':
        throw new TypeError('a watch is a stream');
    }
  }

  /** Starts a watch. @throws StatusError, OpSdkError `testapi/unsupported` */
  watch(request: ApiRequest, send: Line, onEnd: () => void): Watch {
    const form = formOf(request.headers['accept']);
    return watchObjects(this.store, request, form, this.#clock, send, onEnd);
  }

  /** Runs the garbage collector until it changes nothing more. @returns true if it has changed anything */
  collectGarbage(): boolean {
    let changed = false;
    while (this.#collector.run()) changed = true;
    return changed;
  }
}

/** @throws OpSdkError if the query has an unsupported parameter that would change the response */
function checkQuery({ query }: ApiRequest): void {
  for (const name of ['shardSelector', 'ignoreStoreReadErrorWithClusterBreakingPotential'])
    if (query.has(name)) throw unsupportedHere(`the parameter ${name}`);
}

/** Orders the fields of a response body as a real API server does: `kind`, `apiVersion` and `metadata` first. */
function ordered(body: JsonObject): JsonObject {
  const { kind, apiVersion, metadata, ...rest } = body;
  const first: Record<string, Json | undefined> = { kind, apiVersion, metadata };
  const head = Object.fromEntries(
    Object.entries(first).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
  return isObject(head) ? { ...head, ...rest } : body;
}

/** Writes one event as a line of the watch response. */
type Line = (type: string, object: JsonObject) => void;

interface Watch {
  stop(): void;
}

/**
 * Starts a watch. Sends the existing objects, or the changes since the requested resourceVersion; then sends every later change.
 * @param onEnd called after the timeout that the client requested
 * @throws StatusError
 */
function watchObjects(
  store: ObjectStore,
  request: ApiRequest,
  form: Form,
  clock: Clock,
  send: Line,
  onEnd: () => void,
): Watch {
  const { kind, namespace, query } = request;
  const test = selection(kind, kind.namespaced ? namespace : '', query);
  const version = query.get('resourceVersion') ?? '';
  const sendsInitial = query.get('sendInitialEvents') === 'true';
  checkInitialEvents(query, sendsInitial);
  checkRequestedVersions(query, false, store.revision);
  const write: Line = (type, object) => send(type, inForm(object, form));
  const collection = store.collection(collectionId(kind));
  const onEvent = (event: StoredEvent): void => report(kind, event, test, write);
  if (sendsInitial || version === '' || version === '0') {
    for (const [, object] of store.list(collectionId(kind)))
      if (test(object)) write('ADDED', inVersion(kind, object));
    if (sendsInitial && query.get('allowWatchBookmarks') === 'true')
      write('BOOKMARK', bookmark(kind, store.revision, { 'k8s.io/initial-events-end': 'true' }));
  } else {
    for (const event of collection.history) if (event.revision > Number(version)) onEvent(event);
  }
  collection.listeners.add(onEvent);
  const timeout = Number(query.get('timeoutSeconds') ?? '0');
  const end = (): void => {
    stop();
    onEnd();
  };
  const cancel = timeout > 0 ? clock.after(timeout * 1000, end) : () => undefined;
  const stop = (): void => {
    cancel();
    collection.listeners.delete(onEvent);
  };
  return { stop };
}

/** Checks the query parameters that control the initial events of a watch. Source: apimachinery `ValidateListOptions`. */
function checkInitialEvents(query: URLSearchParams, sendsInitial: boolean): void {
  const match = query.get('resourceVersionMatch') ?? '';
  const listOptions = { group: 'meta.k8s.io', kind: 'ListOptions' };
  if (sendsInitial && match !== 'NotOlderThan')
    throw invalidAnswer(listOptions, '', [
      forbiddenValue(
        'resourceVersionMatch',
        'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ),
    ]);
  if (!sendsInitial && match !== '')
    throw invalidAnswer(listOptions, '', [
      forbiddenValue(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    ]);
}

/** Writes the watch event for a change. If an object no longer matches the selector of the watch, the event is `DELETED`. */
function report(kind: ServedKind, { type, object, before }: StoredEvent, test: Test, write: Line): void {
  const matches = type !== 'DELETED' && test(object);
  const matched = before !== undefined && test(before);
  if (matches) write(matched ? 'MODIFIED' : 'ADDED', inVersion(kind, object));
  else if (matched) {
    const { resourceVersion = '' } = objectOf(object['metadata']);
    // The last state of the object that matched the selector of the watch, with the current resourceVersion.
    const last =
      type === 'DELETED'
        ? object
        : { ...before, metadata: { ...objectOf(before['metadata']), resourceVersion } };
    write('DELETED', inVersion(kind, last));
  }
}

function bookmark(
  { kind, apiVersion }: ServedKind,
  revision: number,
  annotations?: Readonly<Record<string, string>>,
): JsonObject {
  const metadata: JsonObject = {
    resourceVersion: String(revision),
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
  };
  return { kind, apiVersion, metadata };
}

/** Answers requests for the scale subresource. Source: apiextensions-apiserver `registry/customresource/etcd.go`. */
function answerScale(store: ObjectStore, writer: Writer, request: ApiRequest): Answer {
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
  if (request.kind.builtIn !== undefined && replicas < 0)
    throw invalidAnswer({ group: 'autoscaling', kind: 'Scale' }, name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  const changed = withValue(clone(object), scale.spec.split('.'), replicas);
  const answer = writer.update(
    { ...request, subresource: undefined, verb: 'update', body: changed },
    trackScale(replicas === 0),
  );
  return { ...answer, body: scaleOf(scale, answer.body) };
}

function wantedScale({ verb, body, contentType }: ApiRequest, current: JsonObject): JsonObject {
  if (!isObject(body) && !Array.isArray(body))
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
  const text = isObject(selector) ? selectorText(selector) : jsonTextOf(selector);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata,
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: valueAt(object, paths.status) ?? 0,
      ...(text === '' ? {} : { selector: text }),
    },
  };
}

/**
 * Records in `managedFields` who set the replicas through the scale subresource. As on a real server, the entry has no time, and it is left
 * out if the number of replicas is 0.
 */
const trackScale =
  (toZero: boolean) =>
  (live: JsonObject, changed: JsonObject, write: FieldWrite): JsonObject => {
    const tracked = trackUpdate(live, changed, { ...write, subresource: 'scale' });
    const metadata = objectOf(tracked['metadata']);
    const isZero = toZero && !isEqualJson(live['spec'] ?? null, changed['spec'] ?? null);
    const managedFields = listOf(metadata['managedFields'])
      .map(objectOf)
      .filter(({ subresource }) => subresource !== 'scale' || !isZero)
      .map(({ time, ...entry }): JsonObject =>
        entry['subresource'] === 'scale' || time === undefined ? entry : { ...entry, time },
      );
    return { ...tracked, metadata: { ...metadata, managedFields } };
  };

function withValue(object: JsonObject, path: readonly string[], value: number): JsonObject {
  const [name = '', ...rest] = path;
  return { ...object, [name]: rest.length === 0 ? value : withValue(objectOf(object[name]), rest, value) };
}
