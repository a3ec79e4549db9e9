import {
  isJsonMap,
  jsonMapOf,
  jsonTextOf,
  jsonListOf,
  type JsonMap,
} from '../../../../base/util/json-map.ts';
import { hasDefault, defaultMisfit, type JsonValue } from '../../../objects/index.ts';
import type { Problem, Schema, SchemaPath, WalkedPath, Child } from './check-forms.ts';
import { readCel, usesOldSelf } from '../../cel/cel-syntax.ts';
import { checkCel } from '../../cel/cel-problems.ts';
import { celTypeOf, type CelType } from '../../cel/cel-type.ts';
import { namedCelType } from '../../cel/cel-words.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupported = [
  'id',
  '$schema',
  '$ref',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
];
const metaFields = ['metadata', 'kind', 'apiVersion'];

interface Surroundings {
  readonly isRoot: boolean;
  /** True if the schema lies inside the schema of an object's metadata. */
  readonly inMeta: boolean;
  /** Reason why a default is not allowed in this schema; undefined if it is allowed. */
  readonly noDefault: string | undefined;
  /**
   * Path of the outermost surrounding list whose items cannot be matched between the old and the new state of the object; undefined without
   * such a list.
   */
  readonly changing: SchemaPath | undefined;
  /** True inside of allOf, anyOf, oneOf or not, where the API server allows no CEL rules. */
  readonly inJunctor: boolean;
}

/**
 * Checks the keywords of a schema and of all schemas inside of it.
 * Source: apiextensions `validation.go` `ValidateCustomResourceDefinitionOpenAPISchema`, `specStandardValidatorV3`.
 */
export function checkOpenApi(schema: Schema, path: WalkedPath, problem: Problem): void {
  const around = { isRoot: true, inMeta: false, noDefault: undefined, changing: undefined, inJunctor: false };
  check(schema, path, around, problem);
}

function check(schema: Schema, path: WalkedPath, around: Surroundings, problem: Problem): void {
  const type = jsonTextOf(schema['type']);
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (type !== '' && !types.includes(type))
    problem([...path, 'type'], `unknown type ${type}; expected one of ${types.join(', ')}`);
  for (const field of unsupported) {
    const value = schema[field];
    if (value !== undefined && value !== null && value !== '')
      problem([...path, field], `${field} is not supported in a CustomResourceDefinition`);
  }
  if (hasDefault(schema) && around.noDefault !== undefined)
    problem([...path, 'default'], `a default is not allowed ${around.noDefault}`);
  if (Array.isArray(schema['items']))
    problem([...path, 'items'], 'items must be one schema, got a list of schemas');
  if (schema['uniqueItems'] === true)
    problem([...path, 'uniqueItems'], 'uniqueItems cannot be true; use x-kubernetes-list-type: set instead');
  if (around.inMeta && isEmbedded)
    problem([...path, 'x-kubernetes-embedded-resource'], 'metadata cannot contain an embedded resource');
  const others = schema['additionalProperties'];
  const hasBoth =
    (others === false || isJsonMap(others)) && Object.keys(jsonMapOf(schema['properties'])).length > 0;
  if (hasBoth)
    problem(
      [...path, 'additionalProperties'],
      'properties and additionalProperties exclude each other',
      path,
    );
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    problem(
      [...path, 'x-kubernetes-preserve-unknown-fields'],
      'x-kubernetes-preserve-unknown-fields must be true or absent, got false',
    );
  checkMapType(schema, type, path, problem);
  checkListType(schema, path, problem);
  if (!around.inJunctor) checkRules(schema, path, around, problem);
  for (const [keys, child] of structuralChildren(schema)) {
    const inner = inside(keys, changing(schema, path, keys, around), isEmbedded);
    path.push(...keys);
    check(child, path, inner, problem);
    path.length -= keys.length;
  }
  for (const [keys, child] of junctorChildren(schema)) {
    path.push(...keys);
    check(child, path, { ...around, isRoot: false, inJunctor: true }, problem);
    path.length -= keys.length;
  }
}

function changing(schema: Schema, path: SchemaPath, [field]: SchemaPath, around: Surroundings): Surroundings {
  if (around.changing !== undefined || field !== 'items' || keepsItems(schema)) return around;
  return { ...around, changing: [...path] };
}

function inside(keys: SchemaPath, around: Surroundings, isEmbedded: boolean): Surroundings {
  // This is true of nearly all schemas: the child has the same surroundings as its parent.
  if (!around.isRoot && !around.inMeta && !isEmbedded) return around;
  const [field, name] = keys;
  if (field === 'additionalProperties' && around.inMeta)
    return { ...around, isRoot: false, noDefault: 'inside of additionalProperties of metadata' };
  const isMeta = field === 'properties' && (around.isRoot || isEmbedded) && metaFields.includes(String(name));
  if (!isMeta) return { ...around, isRoot: false };
  const noDefault = around.isRoot ? `in ${String(name)} at the root` : around.noDefault;
  return { ...around, isRoot: false, inMeta: true, noDefault };
}

function checkMapType(schema: Schema, type: string, path: SchemaPath, problem: Problem): void {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined || mapType === null) return;
  if (type !== 'object') problem(path, 'x-kubernetes-map-type is set, but the type is not object');
  if (mapType !== 'atomic' && mapType !== 'granular')
    problem([...path, 'x-kubernetes-map-type'], 'x-kubernetes-map-type must be atomic or granular');
}

/**
 * Checks that the items of a list can be identified as the list type requires. Source: apiextensions `validation.go`
 * `ValidateCustomResourceDefinitionOpenAPISchema`.
 */
function checkListType(schema: Schema, path: SchemaPath, problem: Problem): void {
  const listType = schema['x-kubernetes-list-type'];
  const keys = textsOf(schema['x-kubernetes-list-map-keys']);
  if (keys.length > 0 && listType !== 'map')
    problem(
      [...path, 'x-kubernetes-list-map-keys'],
      'x-kubernetes-list-map-keys is set, but x-kubernetes-list-type is not map',
    );
  if (listType === undefined || listType === null) return;
  const at = [...path, 'x-kubernetes-list-type'];
  if (schema['type'] !== 'array') problem(at, 'x-kubernetes-list-type is set, but the type is not array');
  if (listType !== 'atomic' && listType !== 'set' && listType !== 'map') {
    problem(at, 'x-kubernetes-list-type must be atomic, set or map');
    return;
  }
  const items = jsonMapOf(schema['items']);
  const ofList: Problem = (where, message) => problem(where, message, path);
  if (listType !== 'atomic' && items['nullable'] === true)
    ofList([...path, 'items', 'nullable'], `the items of a list of type ${listType} cannot be nullable`);
  if (listType === 'set') checkSet(items, [...path, 'items'], ofList);
  if (listType === 'map') checkMapKeys(items, keys, path, ofList);
}

/** Checks that the items of a list of type set are atomic, because the API server compares each item as a single value. */
function checkSet(items: JsonMap, path: SchemaPath, problem: Problem): void {
  const isSplit =
    (items['type'] === 'object' && items['x-kubernetes-map-type'] !== 'atomic') ||
    (items['type'] === 'array' &&
      !['atomic', undefined, null].includes(items['x-kubernetes-list-type'] as string));
  if (isSplit) problem(path, 'the items of a list of type set must be atomic');
}

function checkMapKeys(items: JsonMap, keys: readonly string[], path: SchemaPath, problem: Problem): void {
  const at = [...path, 'x-kubernetes-list-map-keys'];
  if (keys.length === 0)
    problem(path, 'the list has x-kubernetes-list-type: map, but no x-kubernetes-list-map-keys');
  if (new Set(keys).size < keys.length) problem(at, 'x-kubernetes-list-map-keys has a key twice');
  if (items['type'] !== 'object') {
    problem([...path, 'items'], 'the items of a list of type map must be objects');
    return;
  }
  const properties = jsonMapOf(items['properties']);
  for (const key of keys) {
    const field = Object.hasOwn(properties, key) ? jsonMapOf(properties[key]) : undefined;
    const place = [...path, 'items', 'properties', key];
    if (field === undefined) {
      problem(at, `x-kubernetes-list-map-keys names the field ${key}, which the items do not have`);
      continue;
    }
    if (field['type'] === 'array' || field['type'] === 'object')
      problem(place, `the key ${key} must be a plain value`);
    if (field['nullable'] === true) problem(place, `the key ${key} cannot be nullable`);
    if (!textsOf(items['required']).includes(key) && !hasDefault(field))
      problem(place, `the key ${key} must be required, or have a default`);
  }
}

/**
 * Returns true if the items of a list can be matched between the old and the new state of the object. This is possible only for a list of
 * type map.
 */
function keepsItems(schema: Schema): boolean {
  return schema['x-kubernetes-list-type'] === 'map';
}

function textsOf(value: unknown): readonly string[] {
  return jsonListOf(value).filter((item) => typeof item === 'string');
}

/**
 * Checks that the default values in a schema are valid by the schema.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/defaulting/validation.go`.
 * @param schema a well-formed schema
 */
export function checkDefaults(schema: Schema, path: WalkedPath, problem: Problem): void {
  if (hasDefault(schema)) {
    const reason = defaultMisfit(schema, schema['default'] as JsonValue);
    if (reason !== undefined) problem([...path, 'default'], `the default does not fit the schema: ${reason}`);
  }
  for (const [keys, child] of structuralChildren(schema)) {
    if (keys[0] === 'additionalProperties') continue;
    path.push(...keys);
    checkDefaults(child, path, problem);
    path.length -= keys.length;
  }
}

/** Keywords that combine schemas. */
const junctors = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** Returns the schemas of the fields and items that a schema declares. */
export function structuralChildren({ properties, items, additionalProperties }: Schema): readonly Child[] {
  const children: Child[] = [];
  if (isJsonMap(properties)) {
    for (const name of Object.keys(properties)) {
      const child = properties[name];
      if (isJsonMap(child)) children.push([['properties', name], child]);
    }
  }
  if (isJsonMap(items)) children.push([['items'], items]);
  if (isJsonMap(additionalProperties)) children.push([['additionalProperties'], additionalProperties]);
  return children;
}

/** Returns the schemas inside of `allOf`, `anyOf`, `oneOf` and `not`. */
export function junctorChildren(schema: Schema): readonly Child[] {
  // Nearly all schemas have none of these keywords, so that the list is created only when needed.
  let children: Child[] | undefined;
  for (const word of junctors) {
    const value = schema[word];
    if (value === undefined) continue;
    children ??= [];
    if (isJsonMap(value)) children.push([[word], value]);
    for (const [index, item] of jsonListOf(value).entries())
      if (isJsonMap(item)) children.push([[word, index], item]);
  }
  return children ?? none;
}

const none: readonly Child[] = [];

const reasons = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueDuplicate'];

/**
 * Checks the CEL rules of a schema, as far as possible without compiling their expressions.
 *
 * @param isRoot true for the schema of the root object
 * @param changing path of a surrounding list whose items cannot be matched between the old and the new state of the object; undefined
 * without such a list
 */
function checkRules(
  schema: Schema,
  path: SchemaPath,
  { isRoot, changing }: { readonly isRoot: boolean; readonly changing: SchemaPath | undefined },
  problem: Problem,
): void {
  const rules = jsonListOf(schema['x-kubernetes-validations']);
  if (rules.length === 0) return;
  const self = celTypeOf(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true);
  if (self === undefined)
    problem(
      [...path, 'x-kubernetes-validations'],
      'rules cannot read a value without a type, nor a list or a map of such values',
    );
  for (const [index, item] of rules.entries()) {
    const at = [...path, 'x-kubernetes-validations', index];
    const rule = jsonMapOf(item);
    checkTexts(rule, at, problem);
    if (self !== undefined) checkExpressions(rule, self, at, problem);
    checkFieldPath(schema, jsonTextOf(rule['fieldPath']), [...at, 'fieldPath'], problem);
    checkOldSelf(rule, at, changing, problem);
  }
}

function checkTexts(rule: JsonMap, path: SchemaPath, problem: Problem): void {
  const expression = jsonTextOf(rule['rule']).trim();
  const message = jsonTextOf(rule['message']);
  if (expression === '') problem(path, 'the rule is empty');
  else if (message !== '' && message.trim() === '') problem([...path, 'message'], 'the message is blank');
  else if (/[\r\n]/.test(message.trim())) problem([...path, 'message'], 'the message has several lines');
  else if (/[\r\n]/.test(expression) && message === '')
    problem([...path, 'rule'], 'the rule has several lines, and therefore needs a message');
  const messageExpression = jsonTextOf(rule['messageExpression']);
  if (messageExpression !== '' && messageExpression.trim() === '')
    problem([...path, 'messageExpression'], 'messageExpression must not be blank');
  const { reason } = rule;
  if (reason !== undefined && reason !== null && !reasons.includes(jsonTextOf(reason)))
    problem(
      [...path, 'reason'],
      `unknown reason ${jsonTextOf(reason)}; expected one of ${reasons.join(', ')}`,
    );
}

function checkExpressions(rule: JsonMap, self: CelType, path: SchemaPath, problem: Problem): void {
  const oldSelf: CelType = rule['optionalOldSelf'] === true ? { kind: 'optional', of: self } : self;
  for (const { field, title, result, says } of expressions) {
    const expression = jsonTextOf(rule[field]).trim();
    if (expression === '') continue;
    const at = [...path, field];
    const read = readCel(expression);
    if ('problem' in read) {
      problem(at, `${title} is not valid CEL: ${read.problem}`);
      continue;
    }
    const { type, problems } = checkCel(read.tree, { self, oldSelf });
    for (const text of problems) problem(at, `${title} does not fit the schema: ${text}`);
    if (type.kind !== 'any' && type.kind !== result)
      problem(at, `${title} gives ${namedCelType(type)}, not ${says}`);
  }
}

const expressions = [
  { field: 'rule', title: 'the rule', result: 'bool', says: 'true or false' },
  { field: 'messageExpression', title: 'messageExpression', result: 'string', says: 'a string' },
] as const;

function checkFieldPath(schema: Schema, fieldPath: string, at: SchemaPath, problem: Problem): void {
  if (fieldPath === '') return;
  if (fieldPath.trim() === '') problem(at, 'fieldPath is blank');
  else if (/[\r\n]/.test(fieldPath)) problem(at, 'fieldPath has several lines');
  else {
    const reason = fieldPathProblem(fieldPath, schema);
    if (reason !== undefined) problem(at, `fieldPath ${JSON.stringify(fieldPath)} ${reason}`);
  }
}

function checkOldSelf(
  rule: JsonMap,
  path: SchemaPath,
  changing: SchemaPath | undefined,
  problem: Problem,
): void {
  const hasOldSelf = usesOldSelf(jsonTextOf(rule['rule']));
  const { optionalOldSelf } = rule;
  if (!hasOldSelf && optionalOldSelf !== undefined && optionalOldSelf !== null)
    problem([...path, 'optionalOldSelf'], 'optionalOldSelf is set, but the rule does not use oldSelf');
  if (hasOldSelf && changing !== undefined)
    problem(
      [...path, 'rule'],
      'oldSelf cannot be used inside of a list whose items have no identity: the list must be of type map',
    );
}

/** Splits a path of fields such as `.spec.host` or `['a.b']['c']` into names. Returns undefined for a text that is not such a path. */
export function readFieldPath(path: string): readonly string[] | undefined {
  const names: string[] = [];
  let rest = path;
  while (rest !== '') {
    const [step = '', quoted, plain] = /^(?:\['((?:[^'\\]|\\['\\])*)'\]|\.([^.[\]']+))/.exec(rest) ?? [];
    if (step === '') return undefined;
    names.push(plain ?? (quoted ?? '').replace(/\\(.)/g, '$1'));
    rest = rest.slice(step.length);
  }
  return names.length === 0 ? undefined : names;
}

/**
 * Returns the reason why the `fieldPath` of a CEL rule is invalid; undefined if it is valid. Source: apiextensions-apiserver
 * `pkg/apiserver/schema/cel/validation.go` `ValidFieldPath`.
 */
export function fieldPathProblem(path: string, schema: Schema): string | undefined {
  const names = readFieldPath(path);
  if (names === undefined) return `is not a field path (example: .name or ['a.name'])`;
  let current = schema;
  for (const name of names) {
    const { properties, additionalProperties } = current;
    const isNamed = isJsonMap(properties);
    const next = isNamed
      ? Object.hasOwn(properties, name)
        ? properties[name]
        : undefined
      : additionalProperties;
    if (!isJsonMap(next)) return `names no field of the schema: unknown field ${name}`;
    current = jsonMapOf(next);
  }
  return undefined;
}
