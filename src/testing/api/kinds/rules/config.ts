import {
  forbiddenValue,
  invalidValue,
  labelProblems,
  listOf,
  required,
  tooLong,
  type FieldError,
  objectOf,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { type BuiltInEntry, ensureObject, setDefaults } from '../served-kind.ts';

const keyProblem =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

function keyErrors(key: string, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (key.length > 253) errors.push(invalidValue(path, key, 'must be no more than 253 characters'));
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) errors.push(invalidValue(path, key, keyProblem));
  else if (key === '.') errors.push(invalidValue(path, key, `must not be '.'`));
  else if (key === '..') errors.push(invalidValue(path, key, `must not be '..'`));
  else if (key.startsWith('..')) errors.push(invalidValue(path, key, `must not start with '..'`));
  return errors;
}

const mostBytes = 1024 * 1024;

function configMapErrors(object: JsonObject): readonly FieldError[] {
  const data = objectOf(object['data']);
  const binaryData = objectOf(object['binaryData']);
  let size = 0;
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(data)) {
    errors.push(...keyErrors(key, `data[${key}]`));
    if (Object.hasOwn(binaryData, key))
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    size += Buffer.byteLength(jsonTextOf(value));
  }
  for (const [key, value] of Object.entries(binaryData)) {
    errors.push(...keyErrors(key, `binaryData[${key}]`));
    size += Buffer.from(jsonTextOf(value), 'base64').length;
  }
  if (size > mostBytes) errors.push(tooLong('', mostBytes));
  return errors;
}

function immutableErrors(
  now: JsonObject,
  before: JsonObject,
  fields: readonly string[],
): readonly FieldError[] {
  if (before['immutable'] !== true) return [];
  const errors: FieldError[] = [];
  if (now['immutable'] !== true)
    errors.push(forbiddenValue('immutable', 'field is immutable when `immutable` is set'));
  for (const field of fields)
    if (!isEqualJson(now[field], before[field]))
      errors.push(forbiddenValue(field, 'field is immutable when `immutable` is set'));
  return errors;
}

/** Keys that a Secret must contain in `data`, by type of Secret. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

function secretErrors(object: JsonObject): readonly FieldError[] {
  const data = objectOf(object['data']);
  const type = jsonTextOf(object['type']);
  const errors = Object.keys(data).flatMap((key) => [...keyErrors(key, `data[${key}]`)]);
  for (const key of requiredKeys[type] ?? [])
    if (data[key] === undefined)
      errors.push(required(type === 'kubernetes.io/tls' ? `data[${key}]` : `data[${key}]`));
  return errors;
}

function normalizeSecret(object: JsonObject): void {
  const texts = objectOf(object['stringData']);
  if (Object.keys(texts).length > 0) {
    const data = ensureObject(object, 'data');
    for (const [key, text] of Object.entries(texts))
      data[key] = Buffer.from(jsonTextOf(text)).toString('base64');
  }
  delete object['stringData'];
  if (Object.keys(objectOf(object['data'])).length === 0) delete object['data'];
  setDefaults(object, { type: 'Opaque' });
}

const plain = { hasGeneration: false, unconditionalUpdate: true, returnsDeleted: false } as const;

/** Sets the label `kubernetes.io/metadata.name` of a namespace to the namespace's name. */
function label(object: JsonObject): void {
  const metadata = ensureObject(object, 'metadata');
  const name = jsonTextOf(metadata['name']);
  if (name !== '')
    metadata['labels'] = { ...objectOf(metadata['labels']), 'kubernetes.io/metadata.name': name };
}

export const configRules: Readonly<Record<string, BuiltInEntry>> = {
  'v1 ConfigMap': {
    ...plain,
    validate: configMapErrors,
    validateUpdate: (now, before) => [
      ...immutableErrors(now, before, ['data', 'binaryData']),
      ...configMapErrors(now),
    ],
  },
  'v1 Secret': {
    ...plain,
    selectableFields: ['type'],
    normalize: normalizeSecret,
    validate: secretErrors,
    validateUpdate: (now, before) => [
      ...(isEqualJson(now['type'], before['type'])
        ? []
        : [invalidValue('type', now['type'] ?? '', 'field is immutable')]),
      ...immutableErrors(now, before, ['data']),
      ...secretErrors(now),
    ],
  },
  'v1 ServiceAccount': {
    ...plain,
    returnsDeleted: true,
  },
  'events.k8s.io/v1 Event': {
    ...plain,
  },
  'v1 Namespace': {
    ...plain,
    returnsDeleted: true,
    nameRule: labelProblems,
    selectableFields: ['status.phase'],
    normalize: label,
    prepareCreate: (object) => {
      object['spec'] = { finalizers: ['kubernetes'] };
      object['status'] = { phase: 'Active' };
    },
    prepareUpdate: (now, before) => {
      now['spec'] = {
        ...objectOf(now['spec']),
        finalizers: [...listOf(objectOf(before['spec'])['finalizers'])],
      };
    },
  },
};
