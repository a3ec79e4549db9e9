import {
  forbiddenValue,
  invalidValue,
  labelProblems,
  isObject,
  listOf,
  qualifiedNameProblems,
  required,
  tooLong,
  type FieldError,
  objectOf,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { type BuiltInEntry, ensureObject, setDefaults } from '../served-kind.ts';
import { configKeyProblems, objectsOf, plainFinalizerErrors, specOf } from './checks.ts';

function keyErrors(key: string, path: string): readonly FieldError[] {
  return configKeyProblems(key).map((problem) => invalidValue(path, key, problem));
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

const serviceAccountName = 'kubernetes.io/service-account.name';

/** Returns the errors of the contents that a type of Secret must have. Source: kubernetes `ValidateSecret`. */
function contentErrors(type: string, data: JsonObject, metadata: JsonObject): readonly FieldError[] {
  const isAbsent = (key: string): boolean => data[key] === undefined;
  const missing = (...keys: readonly string[]): readonly FieldError[] =>
    keys.filter(isAbsent).map((key) => required(`data[${key}]`));
  switch (type) {
    case 'kubernetes.io/service-account-token':
      return jsonTextOf(objectOf(metadata['annotations'])[serviceAccountName]) === ''
        ? [required(`metadata.annotations[${serviceAccountName}]`)]
        : [];
    case 'kubernetes.io/dockercfg':
      return isAbsent('.dockercfg') ? missing('.dockercfg') : jsonContentErrors(data, '.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return isAbsent('.dockerconfigjson')
        ? missing('.dockerconfigjson')
        : jsonContentErrors(data, '.dockerconfigjson');
    case 'kubernetes.io/basic-auth':
      return isAbsent('username') && isAbsent('password') ? missing('username', 'password') : [];
    case 'kubernetes.io/ssh-auth':
      return jsonTextOf(data['ssh-privatekey']) === '' ? [required('data[ssh-privatekey]')] : [];
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key');
    default:
      return [];
  }
}

/** Returns the error of a value that must be a JSON object, with the message of Go. */
function jsonContentErrors(data: JsonObject, key: string): readonly FieldError[] {
  const text = Buffer.from(jsonTextOf(data[key]), 'base64').toString('utf8');
  const problem = jsonObjectProblem(text);
  return problem === undefined ? [] : [invalidValue(`data[${key}]`, '<secret contents redacted>', problem)];
}

function jsonObjectProblem(text: string): string | undefined {
  if (text.trim() === '') return 'unexpected end of JSON input';
  try {
    const value = JSON.parse(text) as Json;
    if (value === null || isObject(value)) return undefined;
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
  } catch {
    return `invalid character '${text.trim().charAt(0)}' looking for beginning of value`;
  }
}

function secretErrors(object: JsonObject): readonly FieldError[] {
  const data = objectOf(object['data']);
  const errors = Object.keys(data).flatMap((key) => [...keyErrors(key, `data[${key}]`)]);
  const size = Object.values(data).reduce<number>(
    (sum, value) => sum + Buffer.from(jsonTextOf(value), 'base64').length,
    0,
  );
  if (size > mostBytes) errors.push(tooLong('data', mostBytes));
  return [...errors, ...contentErrors(jsonTextOf(object['type']), data, objectOf(object['metadata']))];
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

/** Reduces the references of a ServiceAccount to the names of Secrets. */
function cleanSecrets(object: JsonObject): void {
  const secrets = objectsOf(object['secrets']);
  if (secrets.length > 0)
    object['secrets'] = secrets.map(({ name }): JsonObject => (name === undefined ? {} : { name }));
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
    prepareCreate: cleanSecrets,
    prepareUpdate: cleanSecrets,
  },
  'v1 Namespace': {
    ...plain,
    returnsDeleted: true,
    nameRule: labelProblems,
    selectableFields: ['status.phase'],
    normalize: label,
    prepareCreate: (object) => {
      const finalizers = listOf(specOf(object)['finalizers']);
      object['spec'] = { finalizers: [...new Set([...finalizers, 'kubernetes'])] };
      object['status'] = { phase: 'Active' };
    },
    validate: (object) =>
      listOf(specOf(object)['finalizers'])
        .map(jsonTextOf)
        .flatMap((name) => [
          ...qualifiedNameProblems(name).map((problem) => invalidValue('spec.finalizers', name, problem)),
          ...plainFinalizerErrors(name, 'spec.finalizers'),
        ]),
    prepareUpdate: (now, before) => {
      now['spec'] = {
        ...objectOf(now['spec']),
        finalizers: [...listOf(objectOf(before['spec'])['finalizers'])],
      };
    },
  },
};
