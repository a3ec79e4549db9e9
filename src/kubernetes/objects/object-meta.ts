import { compareBytes } from '../../base/util/bytes.ts';
import { jsonTextOf, isEqualJson } from '../../base/util/json-map.ts';
import { forbiddenValue, invalidValue, required, tooLong, type FieldError } from './fault.ts';
import { listOf, objectOf, type Json, type JsonObject } from './json.ts';
import { labelProblems, labelValueProblems, qualifiedNameProblems } from './names.ts';
import type { Schema } from './schema.ts';

/** Collects validation errors of an object. */
class FieldErrors {
  readonly #errors: FieldError[] = [];

  get all(): readonly FieldError[] {
    return this.#errors;
  }

  add(...errors: readonly FieldError[]): void {
    this.#errors.push(...errors);
  }

  /** Adds one error for each problem of a value. */
  each(problems: readonly string[], toError: (problem: string) => FieldError): void {
    this.add(...problems.map(toError));
  }
}

export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

const text: Schema = { type: 'string' };
const strings: Schema = { type: 'object', additionalProperties: text };
const integer: Schema = { type: 'integer', format: 'int64' };

/** Schema of an object's metadata. Source: apimachinery `metav1.ObjectMeta`, with the list types of its OpenAPI document. */
export const objectMetaSchema: Schema = {
  type: 'object',
  properties: {
    annotations: strings,
    creationTimestamp: { ...text, nullable: true },
    deletionGracePeriodSeconds: integer,
    deletionTimestamp: { ...text, nullable: true },
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    generateName: text,
    generation: integer,
    labels: strings,
    managedFields: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        properties: {
          apiVersion: text,
          fieldsType: text,
          fieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          manager: text,
          operation: text,
          subresource: text,
          time: { ...text, nullable: true },
        },
      },
    },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      items: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: {
          apiVersion: text,
          blockOwnerDeletion: { type: 'boolean' },
          controller: { type: 'boolean' },
          kind: text,
          name: text,
          uid: text,
        },
      },
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};

/** A rule for the names of objects of one kind. Returns the problems of a name; empty if the name is valid. */
export type NameRule = (name: string) => readonly string[];

/** Returns the errors of an object's metadata. Source: apimachinery `pkg/api/validation/objectmeta.go`, `ValidateObjectMetaAccessor`. */
export function metadataErrors(
  metadata: JsonObject,
  namespaced: boolean,
  nameRule: NameRule,
  path = 'metadata',
): readonly FieldError[] {
  const errors = new FieldErrors();
  const generateName = jsonTextOf(metadata['generateName']);
  // A prefix may end in a dash, unlike a name. So a final dash is replaced before the check.
  if (generateName !== '')
    errors.each(nameRule(generateName.replace(/-$/, 'a')), (problem) =>
      invalidValue(`${path}.generateName`, generateName, problem),
    );
  const name = jsonTextOf(metadata['name']);
  if (name === '') errors.add(required(`${path}.name`, 'name or generateName is required'));
  else errors.each(nameRule(name), (problem) => invalidValue(`${path}.name`, name, problem));
  const namespace = jsonTextOf(metadata['namespace']);
  if (namespaced) {
    if (namespace === '') errors.add(required(`${path}.namespace`));
    else
      errors.each(labelProblems(namespace), (problem) =>
        invalidValue(`${path}.namespace`, namespace, problem),
      );
  } else if (namespace !== '') {
    errors.add(forbiddenValue(`${path}.namespace`, 'not allowed on this type'));
  }
  errors.add(...labelErrors(metadata['labels'], `${path}.labels`));
  errors.add(...annotationErrors(metadata['annotations'], `${path}.annotations`));
  errors.add(...ownerErrors(metadata['ownerReferences'], `${path}.ownerReferences`));
  errors.add(...finalizerErrors(metadata['finalizers'], `${path}.finalizers`));
  return errors.all;
}

/**
 * Returns the errors of an update of an object's metadata from `before` to `now`. Source: apimachinery `ValidateObjectMetaAccessorUpdate`.
 */
export function metadataUpdateErrors(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const errors = new FieldErrors();
  const path = 'metadata';
  if (before['deletionTimestamp'] !== undefined) {
    const known = new Set(listOf(before['finalizers']));
    const added = [...new Set(listOf(now['finalizers']))].filter((finalizer) => !known.has(finalizer));
    if (added.length > 0) {
      const shown = added
        .map(jsonTextOf)
        .sort(compareBytes)
        .map((each) => JSON.stringify(each))
        .join(', ');
      errors.add(
        forbiddenValue(
          `${path}.finalizers`,
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown}}`,
        ),
      );
    }
  }
  if (jsonTextOf(now['resourceVersion']) === '')
    errors.add(invalidValue(`${path}.resourceVersion`, '', 'must be specified for an update'));
  for (const field of [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ])
    if (!isEqualJson(now[field], before[field]))
      errors.add(invalidValue(`${path}.${field}`, now[field] ?? null, 'field is immutable'));
  errors.add(...labelErrors(now['labels'], `${path}.labels`));
  errors.add(...annotationErrors(now['annotations'], `${path}.annotations`));
  errors.add(...ownerErrors(now['ownerReferences'], `${path}.ownerReferences`));
  return errors.all;
}

export function labelErrors(labels: Json | undefined, path: string): readonly FieldError[] {
  const errors = new FieldErrors();
  for (const [key, value] of Object.entries(objectOf(labels))) {
    errors.each(qualifiedNameProblems(key), (problem) => invalidValue(path, key, problem));
    errors.each(labelValueProblems(jsonTextOf(value)), (problem) => invalidValue(path, value, problem));
  }
  return errors.all;
}

const mostAnnotations = 256 * 1024;

export function annotationErrors(annotations: Json | undefined, path: string): readonly FieldError[] {
  const errors = new FieldErrors();
  let size = 0;
  for (const [key, value] of Object.entries(objectOf(annotations))) {
    errors.each(qualifiedNameProblems(key.toLowerCase()), (problem) => invalidValue(path, key, problem));
    size += Buffer.byteLength(key) + Buffer.byteLength(jsonTextOf(value));
  }
  if (size > mostAnnotations) errors.add(tooLong(path, mostAnnotations));
  return errors.all;
}

function ownerErrors(owners: Json | undefined, path: string): readonly FieldError[] {
  const errors = new FieldErrors();
  let controller = '';
  for (const [index, owner] of listOf(owners).map(objectOf).entries()) {
    const at = `${path}[${index}]`;
    const [apiVersion = '', kind, name] = ['apiVersion', 'kind', 'name'].map((field) =>
      jsonTextOf(owner[field]),
    );
    if (!/^(?:[^/]*\/)?[^/]+$|^$/.test(apiVersion))
      errors.add(invalidValue(`${at}.apiVersion`, apiVersion, 'must be <group>/<version> or <version>'));
    for (const field of ['apiVersion', 'kind', 'name', 'uid'])
      if (jsonTextOf(owner[field]) === '') errors.add(required(`${at}.${field}`, 'must not be empty'));
    if (apiVersion === 'v1' && kind === 'Event')
      errors.add(invalidValue(at, inGoOrder(owner), '/v1, Kind=Event is disallowed from being an owner'));
    if (owner['controller'] !== true) continue;
    const current = `${kind}/${name}`;
    if (controller === '') controller = current;
    else
      errors.add({
        type: 'FieldValueInvalid',
        field: path,
        body: `Invalid value: ${JSON.stringify(listOf(owners).map(inGoOrder))}: Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`,
      });
  }
  return errors.all;
}

/** Returns an owner reference with its fields in the order in which its Go type declares them. */
function inGoOrder(owner: Json): JsonObject {
  const fields = objectOf(owner);
  const names = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];
  return Object.fromEntries(
    names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  );
}

function finalizerErrors(finalizers: Json | undefined, path: string): readonly FieldError[] {
  const errors = new FieldErrors();
  const names = listOf(finalizers).map(jsonTextOf);
  for (const name of names)
    errors.each(qualifiedNameProblems(name), (problem) => invalidValue(path, name, problem));
  if (names.includes(orphanFinalizer) && names.includes(foregroundFinalizer))
    errors.add(
      invalidValue(path, names, `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`),
    );
  return errors.all;
}
