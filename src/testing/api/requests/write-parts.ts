import { randomBytes } from 'node:crypto';
import {
  type FieldError,
  isObject,
  listOf,
  objectOf,
  type Json,
  type JsonObject,
} from '../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../base/util/json-map.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { standardFinalizers } from '../kinds/rules/checks.ts';
import { badRequest, conflict, invalidAnswer, StatusError, notFound } from '../status-error.ts';
import type { ObjectStore } from '../store.ts';

/** Creates the 422 response for an invalid object. The response names the kind that the object itself states. */
export function invalidObject(
  { group, builtIn }: ServedKind,
  object: JsonObject,
  errors: readonly FieldError[],
): StatusError {
  return invalidAnswer(
    { group: builtIn?.internalGroup ?? group, kind: jsonTextOf(object['kind']) },
    jsonTextOf(metadataOf(object)['name']),
    errors,
  );
}

export const metadataOf = (object: JsonObject): JsonObject => objectOf(object['metadata']);

/** Formats a time in RFC 3339 with a precision of one second, as Kubernetes does. */
export function seconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Appends a random suffix to the prefix. Source: apiserver `storage/names/generate.go`. */
export function generatedName(prefix: string): string {
  const suffix = [...randomBytes(5)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return `${prefix.slice(0, 58)}${suffix}`;
}

export function checkName(object: JsonObject, name: string): void {
  const own = jsonTextOf(metadataOf(object)['name']);
  if (own === '')
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  if (own !== name)
    throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
}

export function uidMismatch(kind: ServedKind, name: string, given: string, found: string): StatusError {
  return conflict(
    kind,
    name,
    `StorageError: invalid object, Code: 4, Key: /registry/${kind.group}/${kind.plural}/${name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${given}, UID in object meta: ${found}`,
  );
}

export function mergeBody(body: Json | undefined): Json {
  if (!isObject(body)) {
    const found = Array.isArray(body) ? 'array' : typeof body;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
    );
  }
  return body;
}

/** Returns the warnings about duplicate owner references. Source: apiserver `handlers/rest.go`, `dedupOwnerReferencesAndAddWarning`. */
export function ownerWarnings(object: JsonObject): readonly string[] {
  const owners = listOf(metadataOf(object)['ownerReferences']);
  const repeated = owners.filter((owner, index) =>
    owners.slice(0, index).some((other) => isEqualJson(owner, other)),
  );
  if (repeated.length === 0) return [];
  const uids = [...new Set(repeated.map((owner) => jsonTextOf(objectOf(owner)['uid'])))].join(', ');
  return [
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  ];
}

/** Performs a write. If it is refused, the refusal has the warnings of the request. */
export function withWarnings<T>(warnings: readonly string[], write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof StatusError) error.warnings = warnings;
    throw error;
  }
}

/** Removes duplicate owner references. */
export function withUniqueOwners(object: JsonObject): JsonObject {
  const owners = metadataOf(object)['ownerReferences'];
  if (!Array.isArray(owners)) return object;
  const unique = owners.filter(
    (owner, index) => !owners.slice(0, index).some((other) => isEqualJson(owner, other)),
  );
  return unique.length === owners.length
    ? object
    : { ...object, metadata: { ...metadataOf(object), ownerReferences: unique } };
}

/**
 * Returns the live object if a write changes only times in `managedFields`, because such a write has no effect; otherwise the written
 * object. Source: apiserver `fieldmanager/equality.go`.
 */
export function withOldTimes(object: JsonObject, live: JsonObject): JsonObject {
  const timeless = (each: JsonObject): JsonObject => ({
    ...each,
    metadata: {
      ...metadataOf(each),
      managedFields: listOf(metadataOf(each)['managedFields']).map((entry) => ({
        ...objectOf(entry),
        time: '',
      })),
    },
  });
  return isEqualJson(timeless(object), timeless(live)) ? live : object;
}

/** Returns the warnings about an object that is stored. */
export function storedWarnings(
  { builtIn }: ServedKind,
  object: JsonObject,
  before?: JsonObject,
): readonly string[] {
  return builtIn === undefined
    ? finalizerWarnings(object, before)
    : (builtIn.warnings?.(object, before) ?? []);
}

/**
 * Returns the warnings about the names of finalizers. Source: apiextensions-apiserver `customresource/validator.go`,
 * `validateKubeFinalizerName`.
 */
function finalizerWarnings(object: JsonObject, before: JsonObject | undefined): readonly string[] {
  const known = new Set(listOf(metadataOf(before ?? {})['finalizers']));
  return listOf(metadataOf(object)['finalizers'])
    .map(jsonTextOf)
    .filter((name) => !known.has(name) && !name.includes('/') && !standardFinalizers.has(name))
    .sort()
    .map((name) => {
      const how = name.includes('.') ? 'finalizer name including a path (/)' : 'finalizer name';
      return `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified ${how} to avoid accidental conflicts with other finalizer writers`;
    });
}

const namespaceCollection = '/namespaces';

/** Checks that the namespace of a new object exists and is not under deletion. Source: apiserver admission plugin NamespaceLifecycle. */
export class Namespaces {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** @throws StatusError 404 if the namespace does not exist, 403 if the namespace is under deletion */
  checkCreate(kind: ServedKind, namespace: string, name: string): void {
    const found = this.#store.get(namespaceCollection, namespace);
    if (found === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
    if (objectOf(found['metadata'])['deletionTimestamp'] === undefined) return;
    const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    throw new StatusError(403, 'Forbidden', `${resource} ${JSON.stringify(name)} is forbidden: ${why}`, {
      name,
      group: kind.group,
      kind: kind.plural,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    });
  }

  /** Returns true if an object without finalizers in its metadata may be removed; false for a namespace whose spec lists finalizers. */
  mayGo({ group, plural }: ServedKind, name: string): boolean {
    if (group !== '' || plural !== 'namespaces') return true;
    const { spec } = this.#store.get(namespaceCollection, name) ?? {};
    const finalizers = objectOf(spec)['finalizers'];
    return !Array.isArray(finalizers) || finalizers.length === 0;
  }

  /** The names of the namespaces under deletion. */
  get terminating(): readonly string[] {
    return this.#store
      .list(namespaceCollection)
      .filter(([, object]) => objectOf(object['metadata'])['deletionTimestamp'] !== undefined)
      .map(([, object]) => jsonTextOf(objectOf(object['metadata'])['name']));
  }
}
