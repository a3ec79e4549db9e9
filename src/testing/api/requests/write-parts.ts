import { randomBytes } from 'node:crypto';
import type { FieldError } from '../field-error.ts';
import { equal, isJsonObject, listOf, objectOf, jsonTextOf, type Json, type JsonObject } from '../json.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { badRequest, conflict, invalidAnswer, type StatusError } from '../status-error.ts';

/** Names the kind that the object says it is. */
export function invalidObject(
  { group }: ServedKind,
  object: JsonObject,
  errors: readonly FieldError[],
): StatusError {
  return invalidAnswer(
    { group, kind: jsonTextOf(object['kind']) },
    jsonTextOf(metadataOf(object)['name']),
    errors,
  );
}

export const metadataOf = (object: JsonObject): JsonObject => objectOf(object['metadata']);

/** RFC 3339 in seconds, as Kubernetes writes times. */
export function seconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Source: apiserver `storage/names/generate.go`. */
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
  if (!isJsonObject(body)) {
    const found = Array.isArray(body) ? 'array' : typeof body;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
    );
  }
  return body;
}

/** Source: apiserver `handlers/rest.go`, `dedupOwnerReferencesAndAddWarning`. */
export function ownerWarnings(object: JsonObject): readonly string[] {
  const owners = listOf(metadataOf(object)['ownerReferences']);
  const repeated = owners.filter((owner, index) =>
    owners.slice(0, index).some((other) => equal(owner, other)),
  );
  if (repeated.length === 0) return [];
  const uids = [...new Set(repeated.map((owner) => jsonTextOf(objectOf(owner)['uid'])))].join(', ');
  return [
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  ];
}

/** Equal owner references count once. */
export function withUniqueOwners(object: JsonObject): JsonObject {
  const owners = metadataOf(object)['ownerReferences'];
  if (!Array.isArray(owners)) return object;
  const unique = owners.filter(
    (owner, index) => !owners.slice(0, index).some((other) => equal(owner, other)),
  );
  return unique.length === owners.length
    ? object
    : { ...object, metadata: { ...metadataOf(object), ownerReferences: unique } };
}

/** A write that only changes the times of `managedFields` is none. Source: apiserver `fieldmanager/equality.go`. */
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
  return equal(timeless(object), timeless(live)) ? live : object;
}

const standardFinalizers = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Source: apiextensions-apiserver `customresource/validator.go`, `validateKubeFinalizerName`. */
export function finalizerWarnings(
  { builtIn }: ServedKind,
  object: JsonObject,
  before: JsonObject | undefined,
): readonly string[] {
  if (builtIn !== undefined) return [];
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
