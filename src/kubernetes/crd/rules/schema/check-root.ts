import { jsonTextOf, isJsonMap, jsonMapOf } from '../../../../base/util/json-map.ts';
import { patternProblem } from '../../../objects/index.ts';
import type { Problem, Schema, SchemaPath, WalkedPath } from './check-forms.ts';
import { structuralChildren, junctorChildren } from './check-open-api.ts';

/**
 * Keywords allowed at the root of a schema if the version has a status subresource. In this case, the API server extracts the schema of the
 * status from the root. Source: apiextensions `allowedFieldsAtRootSchema`.
 */
export const besideStatus: readonly string[] = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/**
 * Reports keywords that are forbidden at the root of a schema, but allowed below it. Source: apiextensions `validation.go`
 * `validateCustomResourceDefinitionValidation`.
 */
export function checkRoot(schema: Schema, path: SchemaPath, hasStatus: boolean, problem: Problem): void {
  if (schema['nullable'] === true) problem([...path, 'nullable'], 'the root cannot be nullable');
  if (!hasStatus) return;
  const extra = Object.entries(schema).find(
    ([field, value]) => !isZero(value) && !besideStatus.includes(field),
  );
  if (extra !== undefined)
    problem(
      [...path, extra[0]],
      `${extra[0]} is not allowed at the root of a version with a status subresource`,
    );
  if (jsonTextOf(schema['type']) === '')
    problem(path, 'beside a status subresource, the root must be an object');
}

/**
 * Checks that a schema is structural, which means that fields are declared with a type, and outside of `allOf`, `anyOf`, `oneOf` and `not`.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/validation.go`, `complete.go`.
 */
export function checkStructural(schema: Schema, path: WalkedPath, problem: Problem): void {
  check(schema, path, true, problem);
  checkCompleteness(schema, path, problem);
}

function check(schema: Schema, path: WalkedPath, isRoot: boolean, problem: Problem): void {
  const type = jsonTextOf(schema['type']);
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const hasItems = schema['items'] !== undefined && schema['items'] !== null;
  if (type === 'array' && !hasItems) problem(path, 'an array needs items');
  if (isIntOrString && (isOpen || isEmbedded))
    problem(
      [...path, 'x-kubernetes-int-or-string'],
      `x-kubernetes-int-or-string and ${isOpen ? 'x-kubernetes-preserve-unknown-fields' : 'x-kubernetes-embedded-resource'} exclude each other`,
    );
  if (isEmbedded && type !== 'object')
    problem(path, 'x-kubernetes-embedded-resource is set, but the type is not object');
  else if (type === '' && !isIntOrString && !isOpen) problem(path, 'the type is missing');
  if (isRoot && type !== '' && type !== 'object') problem([...path, 'type'], 'the root must be an object');
  checkEmbedded(schema, path, isEmbedded, isOpen, problem);
  checkMeta(schema, path, isRoot, isRoot || isEmbedded, problem);
  checkPattern(schema, path, problem);
  checkJunctors(schema, path, problem);
  for (const [keys, child] of structuralChildren(schema)) {
    path.push(...keys);
    check(child, path, false, problem);
    path.length -= keys.length;
  }
}

function checkEmbedded(
  schema: Schema,
  path: SchemaPath,
  isEmbedded: boolean,
  isOpen: boolean,
  problem: Problem,
): void {
  if (!isEmbedded) return;
  const others = schema['additionalProperties'];
  if (others !== undefined && others !== null)
    problem([...path, 'additionalProperties'], 'an embedded resource cannot have additionalProperties', path);
  if (!isOpen && Object.keys(jsonMapOf(schema['properties'])).length === 0)
    problem(path, 'an embedded resource needs properties, or x-kubernetes-preserve-unknown-fields');
}

/**
 * Checks the schema of an object's `metadata`. This schema may contain few restrictions, because the API server validates `metadata`
 * itself.
 */
function checkMeta(
  schema: Schema,
  path: SchemaPath,
  isRoot: boolean,
  isObject: boolean,
  problem: Problem,
): void {
  const properties = jsonMapOf(schema['properties']);
  if (isRoot && schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== null)
    problem([...path, 'additionalProperties'], 'the root cannot have additionalProperties');
  if (!isObject) return;
  for (const field of ['kind', 'apiVersion']) {
    if (isJsonMap(properties[field]) && properties[field]['type'] !== 'string')
      problem([...path, 'properties', field], `${field} must be a string`, path);
  }
  const { metadata } = properties;
  if (!isJsonMap(metadata)) return;
  const at = [...path, 'properties', 'metadata'];
  if (metadata['type'] !== 'object') problem(at, 'metadata must be an object', path);
  if (!isRoot) return;
  const { type: _type, default: _default, properties: inner, ...others } = metadata;
  const names = Object.keys(jsonMapOf(inner));
  const isPlain =
    names.every((name) => name === 'name' || name === 'generateName') && Object.values(others).every(isZero);
  if (!isPlain) problem(at, 'of metadata, only name and generateName can be restricted');
}

/** Returns true for a value that Go treats as absent. */
function isZero(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '';
}

/**
 * Keywords that are forbidden inside of junctors (`allOf`, `anyOf`, `oneOf` and `not`). Source: apiextensions-apiserver
 * `validateNestedValueValidation`.
 */
const forbidden = [
  'type',
  'default',
  'title',
  'description',
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
];

/** Returns true if a schema has `anyOf: [{type: integer}, {type: string}]`, the only combination of schemas that may contain types. */
function isIntOrStringUnion({ anyOf }: Schema): boolean {
  return anyOf !== undefined && JSON.stringify(anyOf) === '[{"type":"integer"},{"type":"string"}]';
}

/**
 * Checks the schemas in `allOf`, `anyOf`, `oneOf` and `not` (junctors) of a schema. Schemas in junctors may restrict values, but not
 * declare fields.
 * @param mayBeUnion true if `anyOf` may be the union of integer and string; if true, this also applies to `anyOf` in the first schema of
 * `allOf`
 */
function checkJunctors(schema: Schema, path: SchemaPath, problem: Problem, mayBeUnion = true): void {
  const children = junctorChildren(schema);
  if (children.length === 0) return;
  const isUnion = mayBeUnion && isIntOrStringUnion(schema);
  for (const [keys, nested] of children) {
    if (isUnion && keys[0] === 'anyOf') continue;
    checkNested(nested, [...path, ...keys], problem, mayBeUnion && keys[0] === 'allOf' && keys[1] === 0);
  }
}

function checkNested(schema: Schema, path: SchemaPath, problem: Problem, mayBeUnion: boolean): void {
  for (const field of forbidden) {
    const value = schema[field];
    const isThere = value !== undefined && value !== null && value !== false && value !== '';
    if (isThere && !(Array.isArray(value) && value.length === 0))
      problem([...path, field], `${field} is not allowed inside allOf, anyOf, oneOf or not`);
  }
  if (isJsonMap(schema['additionalProperties']))
    problem(
      [...path, 'additionalProperties'],
      'additionalProperties is not allowed inside allOf, anyOf, oneOf or not',
    );
  const properties = jsonMapOf(schema['properties']);
  if (isJsonMap(properties['metadata']))
    problem(
      [...path, 'properties', 'metadata'],
      'metadata cannot be restricted inside allOf, anyOf, oneOf or not',
    );
  checkPattern(schema, path, problem);
  checkJunctors(schema, path, problem, mayBeUnion);
  if (isJsonMap(schema['items'])) checkNested(schema['items'], [...path, 'items'], problem, false);
  for (const [name, child] of Object.entries(properties)) {
    if (isJsonMap(child)) checkNested(child, [...path, 'properties', name], problem, false);
  }
}

/**
 * Checks that all fields that are restricted in junctors (`allOf`, `anyOf`, `oneOf`, `not`) of the root are also declared outside of the
 * junctors. Source: apiextensions-apiserver `pkg/apiserver/schema/complete.go`, which checks only the root.
 */
function checkCompleteness(root: Schema, path: SchemaPath, problem: Problem): void {
  for (const [keys, nested] of junctorChildren(root)) compare(nested, root, [...path, ...keys], problem);
}

function compare(nested: Schema, declared: Schema | undefined, path: SchemaPath, problem: Problem): void {
  if (declared === undefined) {
    problem(
      path,
      'this part of allOf, anyOf, oneOf or not restricts a value that the schema does not declare outside of them',
    );
    return;
  }
  for (const [keys, inner] of junctorChildren(nested)) compare(inner, declared, [...path, ...keys], problem);
  const { items } = declared;
  if (isJsonMap(nested['items']))
    compare(nested['items'], isJsonMap(items) ? items : undefined, [...path, 'items'], problem);
  const known = jsonMapOf(declared['properties']);
  for (const [name, child] of Object.entries(jsonMapOf(nested['properties']))) {
    if (!isJsonMap(child)) continue;
    const field = Object.hasOwn(known, name) ? jsonMapOf(known[name]) : undefined;
    compare(child, field, [...path, 'properties', name], problem);
  }
}

/** Checks that the pattern of a schema is a regular expression that Go accepts. */
function checkPattern(schema: Schema, path: SchemaPath, problem: Problem): void {
  const pattern = jsonTextOf(schema['pattern']);
  const reason = pattern === '' ? undefined : patternProblem(pattern);
  if (reason !== undefined)
    problem(
      [...path, 'pattern'],
      `the pattern is not a valid regular expression in RE2, the syntax of Go: ${reason}`,
    );
}
