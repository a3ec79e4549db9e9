import { randomUUID } from 'node:crypto';
import { applyFields, trackUpdate, type FieldWrite } from '../apply/field-manager.ts';
import {
  clone,
  goJson,
  isObject,
  listOf,
  objectOf,
  type JsonObject,
  metadataErrors,
  pathSegmentProblems,
  invalidValue,
} from '../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../base/util/json-map.ts';
import { ignoredByMain, ignoredByStatus, type ServedKind } from '../kinds/served-kind.ts';
import {
  createErrors,
  prepareCreate,
  prepareStatusUpdate,
  prepareUpdate,
  updateErrors,
} from '../objects/strategy.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  internalError,
  invalidAnswer,
  methodNotAllowed,
  notFound,
  optimisticLock,
  StatusError,
  jsonPatch,
  mergePatch,
  unsupportedHere,
} from '../status-error.ts';
import type { ObjectStore } from '../store.ts';
import { bodyObject, decode, decodeApplied, placeIn, strictProblem } from './decode.ts';
import {
  checkName,
  generatedName,
  invalidObject,
  mergeBody,
  metadataOf,
  ownerWarnings,
  seconds,
  storedWarnings,
  uidMismatch,
  withOldTimes,
  withUniqueOwners,
  withWarnings,
  type Namespaces,
} from './write-parts.ts';
import { collectionId, isDryRun, objectKey, type ApiRequest } from './route.ts';

export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
  /** Texts of the Warning headers of the response. */
  readonly warnings?: readonly string[];
}

interface WriterOptions {
  readonly store: ObjectStore;
  readonly namespaces: Namespaces;
  /** Returns the current date and time. */
  readonly today: () => Date;
  /** Called before an object of a built-in kind without rules is created. */
  readonly onNoDefaults?: ((kind: ServedKind) => void) | undefined;
}

const mostTries = 8;

/** Executes the requests that create or change objects. */
export class Writer {
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  create(request: ApiRequest): Answer {
    const { kind, namespace } = request;
    if (request.subresource !== undefined)
      throw unsupportedHere(`creating ${kind.plural}/${request.subresource}`);
    const { object, warnings } = this.#decoded(request, clone(bodyObject(kind, request.body)));
    const metadata = { ...objectOf(object['metadata']) };
    for (const field of [
      'creationTimestamp',
      'uid',
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
      'selfLink',
    ])
      delete metadata[field];
    const placed = placeIn(kind.namespaced ? namespace : '', { ...object, metadata });
    if (jsonTextOf(metadata['resourceVersion']) !== '')
      throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
    kind.builtIn?.refuse?.('create', placed);
    const tracked = trackUpdate(
      { ...kind.builtIn?.empty, apiVersion: kind.apiVersion, kind: kind.kind },
      withUniqueOwners(placed),
      this.#fieldWrite(request),
    );
    const given = [...warnings, ...ownerWarnings(placed)];
    const stored = withWarnings(given, () => this.#insert(request, tracked));
    return {
      status: 201,
      body: stored,
      warnings: [...given, ...storedWarnings(kind, stored)],
    };
  }

  /**
   * @param track computes which manager owns which fields. Default: the manager that sends the request owns the fields that the request
   * changes
   */
  update(request: ApiRequest, track: typeof trackUpdate = trackUpdate): Answer {
    const { kind, namespace, name } = request;
    const { object, warnings } = this.#decoded(request, clone(bodyObject(kind, request.body)));
    const placed = withUniqueOwners(placeIn(kind.namespaced ? namespace : '', object));
    checkName(placed, name);
    const live = this.#live(request);
    const uid = jsonTextOf(objectOf(placed['metadata'])['uid']);
    if (uid !== '' && uid !== objectOf(live['metadata'])['uid'])
      throw uidMismatch(kind, name, uid, jsonTextOf(objectOf(live['metadata'])['uid']));
    const tracked = track(live, placed, this.#fieldWrite(request));
    const given = [...warnings, ...ownerWarnings(object)];
    return withWarnings(given, () => this.#replace(request, live, tracked, given));
  }

  patch(request: ApiRequest): Answer {
    const { kind, name, contentType, body } = request;
    if (contentType === 'application/strategic-merge-patch+json') {
      if (kind.builtIn !== undefined)
        throw unsupportedHere('strategic merge patches', 'use a merge patch or server-side apply');
      throw new StatusError(
        415,
        'UnsupportedMediaType',
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      );
    }
    const live = this.#live(request);
    const patched =
      contentType === 'application/json-patch+json'
        ? jsonPatch(live, body ?? null)
        : mergePatch(clone(live), mergeBody(body));
    if (!isObject(patched))
      throw invalidAnswer({ group: '', kind: '' }, '', [invalidValue('patch', patched, 'not an object')]);
    const { object, warnings } = this.#decodedPatch(request, clone(patched));
    const tracked = trackUpdate(live, object, this.#fieldWrite(request));
    const placed = withUniqueOwners(placeIn(jsonTextOf(objectOf(live['metadata'])['namespace']), tracked));
    checkName(placed, name);
    return withWarnings(warnings, () => this.#replace(request, live, placed, warnings));
  }

  apply(request: ApiRequest): Answer {
    const { kind, name, namespace, body, query } = request;
    const manager = query.get('fieldManager') ?? '';
    const force = query.get('force') === 'true';
    if (manager === '') {
      throw invalidAnswer({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
        {
          type: 'FieldValueRequired',
          field: 'fieldManager',
          body: 'Required value: is required for apply patch',
        },
      ]);
    }
    if (!isObject(body)) throw badRequest('error decoding YAML: the body is not an object');
    const applied = clone(body);
    const live = this.#find(request);
    if (live === undefined && request.subresource !== undefined) throw notFound(kind, name);
    const empty: JsonObject = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: {} };
    const merged = applyFields(live ?? empty, applied, force, this.#fieldWrite(request));
    const object = decodeApplied(kind, clone(merged));
    const uid = jsonTextOf(objectOf(object['metadata'])['uid']);
    if (live === undefined && uid !== '')
      throw conflict(
        kind,
        name,
        `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
      );
    const placed = withUniqueOwners(placeIn(kind.namespaced ? namespace : '', object));
    checkName(placed, name);
    if (live === undefined) {
      kind.builtIn?.refuse?.('create', placed);
      const stored = this.#insert(request, placed);
      return { status: 201, body: stored, warnings: storedWarnings(kind, stored) };
    }
    return this.#replace(request, live, placed, []);
  }

  #insert(request: ApiRequest, object: JsonObject): JsonObject {
    const { kind } = request;
    if (kind.builtIn?.hasRules === false) this.#options.onNoDefaults?.(kind);
    const { generateName = '', name = '' } = objectOf(object['metadata']);
    const isGenerated = name === '' && generateName !== '';
    for (let attempt = 1; ; attempt += 1) {
      const own = isGenerated ? generatedName(jsonTextOf(generateName)) : jsonTextOf(name);
      const found = this.#tryInsert(request, object, own);
      if (!(found instanceof StatusError)) return found;
      if (!isGenerated) throw found;
      if (attempt >= mostTries)
        throw new StatusError(
          409,
          'AlreadyExists',
          `${found.message}, the server was not able to generate a unique name for the object`,
          { ...found.details, kind: kind.plural, retryAfterSeconds: 1 },
        );
    }
  }

  #tryInsert(request: ApiRequest, object: JsonObject, name: string): JsonObject | StatusError {
    const { kind } = request;
    const { store, namespaces, today } = this.#options;
    const metadata: JsonObject = {
      ...objectOf(object['metadata']),
      ...(name === '' ? {} : { name }),
      creationTimestamp: seconds(today()),
      uid: randomUUID(),
    };
    const namespace = jsonTextOf(metadata['namespace']);
    if (kind.namespaced) namespaces.checkCreate(kind, namespace, name);
    const prepared = prepareCreate(kind, { ...object, metadata });
    const errors = createErrors(kind, prepared);
    if (errors.length > 0) throw invalidObject(kind, prepared, errors);
    if (kind.builtIn === undefined) {
      const more = metadataErrors(objectOf(prepared['metadata']), kind.namespaced, pathSegmentProblems);
      if (more.length > 0) throw invalidAnswer(kind, name, more);
    }
    const key = objectKey(namespace, name);
    const existing = store.get(collectionId(kind), key);
    if (existing !== undefined) {
      const isDeleting = objectOf(existing['metadata'])['deletionTimestamp'] !== undefined;
      return alreadyExists(kind, name, isDeleting ? 'object is being deleted: ' : '');
    }
    if (isDryRun(request)) return prepared;
    kind.builtIn?.settle?.(prepared);
    return store.put(collectionId(kind), key, prepared);
  }

  /** Stores a changed object; does nothing if the object equals the live object. */
  #replace(request: ApiRequest, live: JsonObject, object: JsonObject, warnings: readonly string[]): Answer {
    const { kind, name, namespace, subresource } = request;
    const { store } = this.#options;
    const before = objectOf(live['metadata']);
    const metadata = { ...objectOf(object['metadata']) };
    const version = jsonTextOf(metadata['resourceVersion']);
    if (version === '') {
      if (kind.builtIn?.unconditionalUpdate !== true)
        throw invalidAnswer({ group: kind.group, kind: kind.plural }, name, [
          invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
        ]);
      metadata['resourceVersion'] = before['resourceVersion'] ?? '';
    } else if (version !== before['resourceVersion']) {
      if (!/^\d+$/.test(version))
        throw internalError(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
      throw conflict(kind, name, optimisticLock);
    }
    for (const field of ['creationTimestamp', 'deletionTimestamp'])
      if (before[field] !== undefined) metadata[field] = before[field];
    metadata['uid'] ??= before['uid'] ?? '';
    metadata['deletionGracePeriodSeconds'] ??= before['deletionGracePeriodSeconds'] ?? null;
    if (metadata['deletionGracePeriodSeconds'] === null) delete metadata['deletionGracePeriodSeconds'];
    const whole = { ...object, metadata };
    const endpoint = subresource === 'status' ? 'status' : 'main';
    const prepared =
      endpoint === 'status' ? prepareStatusUpdate(kind, whole, live) : prepareUpdate(kind, whole, live);
    kind.builtIn?.refuse?.('update', prepared);
    const unchanged: string[] = [];
    const errors = updateErrors(kind, prepared, live, endpoint, (text) => void unchanged.push(text));
    if (errors.length > 0) throw invalidObject(kind, prepared, errors);
    const settled = withOldTimes(prepared, live);
    const more = [
      ...warnings,
      ...unchanged,
      ...(endpoint === 'main' ? storedWarnings(kind, settled, live) : []),
    ];
    const key = objectKey(kind.namespaced ? namespace : '', name);
    const isGone =
      before['deletionTimestamp'] !== undefined &&
      listOf(metadataOf(settled)['finalizers']).length === 0 &&
      Number(before['deletionGracePeriodSeconds'] ?? 0) === 0;
    if (isDryRun(request)) return { status: 200, body: settled, warnings: more };
    if (isGone && this.#options.namespaces.mayGo(kind, name)) {
      store.remove(collectionId(kind), key);
      return { status: 200, body: settled, warnings: more };
    }
    const body = isEqualJson(settled, live) ? live : store.put(collectionId(kind), key, settled);
    return { status: 200, body, warnings: more };
  }

  #live(request: ApiRequest): JsonObject {
    const live = this.#find(request);
    if (live === undefined) throw notFound(request.kind, request.name);
    return live;
  }

  #find({ kind, namespace, name, subresource }: ApiRequest): JsonObject | undefined {
    if (subresource !== undefined && subresource !== 'status') throw methodNotAllowed();
    const object = this.#options.store.get(
      collectionId(kind),
      objectKey(kind.namespaced ? namespace : '', name),
    );
    return object === undefined ? undefined : { ...object, apiVersion: kind.apiVersion };
  }

  #decoded(request: ApiRequest, body: JsonObject): { object: JsonObject; warnings: readonly string[] } {
    const { kind } = request;
    const { object, unknown } = decode(kind, body);
    const mode = request.query.get('fieldValidation') ?? 'Warn';
    const problem = strictProblem(unknown);
    if (problem === undefined || mode === 'Ignore') return { object, warnings: [] };
    if (mode === 'Warn') return { object, warnings: unknown.map((path) => `unknown field "${path}"`) };
    throw badRequest(
      `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${problem}`,
    );
  }

  #decodedPatch(request: ApiRequest, body: JsonObject): { object: JsonObject; warnings: readonly string[] } {
    const text = goJson(body);
    const { object, unknown } = decode(request.kind, body);
    const mode = request.query.get('fieldValidation') ?? 'Warn';
    const problem = strictProblem(unknown);
    if (problem === undefined || mode === 'Ignore') return { object, warnings: [] };
    if (mode === 'Warn') return { object, warnings: unknown.map((path) => `unknown field "${path}"`) };
    throw invalidAnswer({ group: '', kind: '' }, '', [invalidValue('patch', text, problem)]);
  }

  #fieldWrite({ kind, query, headers, subresource = '' }: ApiRequest): FieldWrite {
    const agent = headers['user-agent']?.split('/')[0] ?? '';
    return {
      schema: kind.schema,
      apiVersion: kind.apiVersion,
      manager: query.get('fieldManager') || agent || 'unknown',
      subresource,
      ignored: subresource === 'status' ? ignoredByStatus(kind) : ignoredByMain(kind),
      now: seconds(this.#options.today()),
      empty: kind.builtIn?.empty,
    };
  }
}
