import { isMap, type JsonMap } from '../../../json.ts';
import { listOf, mapOf, textOf, textsOf } from '../../fields.ts';
import type { FieldPath } from '../../types.ts';
import { junctorChildren, structuralChildren } from './children.ts';
import type { Problem, Schema } from './types.ts';

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
  /** Inside of the metadata of an object. */
  readonly inMeta: boolean;
  /** Why no default may stand here. */
  readonly noDefault: string | undefined;
}

/**
 * What a single schema may say, at every depth.
 * Source: apiextensions `validation.go` `ValidateCustomResourceDefinitionOpenAPISchema`, `specStandardValidatorV3`.
 */
export function checkOpenApi(schema: Schema, path: FieldPath, problem: Problem): void {
  check(schema, path, { isRoot: true, inMeta: false, noDefault: undefined }, problem);
}

function check(schema: Schema, path: FieldPath, around: Surroundings, problem: Problem): void {
  const type = textOf(schema['type']);
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (type !== '' && !types.includes(type))
    problem([...path, 'type'], `there is no type ${type}; there are ${types.join(', ')}`);
  for (const field of unsupported) {
    const value = schema[field];
    if (value !== undefined && value !== null && value !== '')
      problem([...path, field], `${field} is not supported in a CustomResourceDefinition`);
  }
  if (hasDefault(schema) && around.noDefault !== undefined)
    problem([...path, 'default'], `a default cannot stand ${around.noDefault}`);
  if (Array.isArray(schema['items']))
    problem([...path, 'items'], 'items is one schema, not a list of schemas');
  if (schema['uniqueItems'] === true)
    problem(
      [...path, 'uniqueItems'],
      'uniqueItems cannot be true; x-kubernetes-list-type: set says the same',
    );
  if (around.inMeta && isEmbedded)
    problem([...path, 'x-kubernetes-embedded-resource'], 'there is no resource inside of metadata');
  const others = schema['additionalProperties'];
  const hasBoth = Object.keys(mapOf(schema['properties'])).length > 0 && (others === false || isMap(others));
  if (hasBoth)
    problem([...path, 'additionalProperties'], 'properties and additionalProperties exclude each other');
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    problem(
      [...path, 'x-kubernetes-preserve-unknown-fields'],
      'x-kubernetes-preserve-unknown-fields is true or absent',
    );
  checkMapType(schema, type, path, problem);
  checkListType(schema, type, path, problem);
  for (const [index, rule] of listOf(schema['x-kubernetes-validations']).entries())
    checkRule(mapOf(rule), [...path, 'x-kubernetes-validations', index], problem);
  for (const [keys, child] of structuralChildren(schema))
    check(child, [...path, ...keys], inside(keys, around, isEmbedded), problem);
  for (const [keys, child] of junctorChildren(schema))
    check(child, [...path, ...keys], { ...around, isRoot: false }, problem);
}

/** A default of null is none: the API server cannot tell it from an absent one. */
export function hasDefault(schema: Schema): boolean {
  return schema['default'] !== undefined && schema['default'] !== null;
}

function inside(keys: FieldPath, around: Surroundings, isEmbedded: boolean): Surroundings {
  const [field, name] = keys;
  if (field === 'additionalProperties' && around.inMeta)
    return { ...around, isRoot: false, noDefault: 'inside of additionalProperties of metadata' };
  const isMeta = field === 'properties' && (around.isRoot || isEmbedded) && metaFields.includes(String(name));
  if (!isMeta) return { ...around, isRoot: false };
  const noDefault = around.isRoot ? `in ${String(name)} at the root` : around.noDefault;
  return { isRoot: false, inMeta: true, noDefault };
}

function checkMapType(schema: Schema, type: string, path: FieldPath, problem: Problem): void {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined || mapType === null) return;
  if (type !== 'object') problem(path, 'x-kubernetes-map-type needs the type object');
  if (mapType !== 'atomic' && mapType !== 'granular')
    problem([...path, 'x-kubernetes-map-type'], 'x-kubernetes-map-type is atomic or granular');
}

function checkListType(schema: Schema, type: string, path: FieldPath, problem: Problem): void {
  const listType = schema['x-kubernetes-list-type'];
  const keys = textsOf(schema['x-kubernetes-list-map-keys']);
  const at = [...path, 'x-kubernetes-list-type'];
  if (keys.length > 0 && listType !== 'map')
    problem(
      [...path, 'x-kubernetes-list-map-keys'],
      'x-kubernetes-list-map-keys needs x-kubernetes-list-type: map',
    );
  if (listType === undefined || listType === null) return;
  if (type !== 'array') problem(at, 'x-kubernetes-list-type needs the type array');
  if (listType !== 'atomic' && listType !== 'set' && listType !== 'map') {
    problem(at, 'x-kubernetes-list-type is atomic, set or map');
    return;
  }
  const items = mapOf(schema['items']);
  if (listType !== 'atomic' && items['nullable'] === true)
    problem([...path, 'items', 'nullable'], `the items of a list of type ${listType} cannot be nullable`);
  if (listType === 'set') checkSet(items, [...path, 'items'], problem);
  if (listType === 'map') checkMapKeys(items, keys, path, problem);
}

/** Items of a set are compared whole, so they must be whole. */
function checkSet(items: JsonMap, path: FieldPath, problem: Problem): void {
  const isSplit =
    (items['type'] === 'object' && items['x-kubernetes-map-type'] !== 'atomic') ||
    (items['type'] === 'array' &&
      !['atomic', undefined, null].includes(items['x-kubernetes-list-type'] as string));
  if (isSplit) problem(path, 'the items of a list of type set must be atomic');
}

function checkMapKeys(items: JsonMap, keys: readonly string[], path: FieldPath, problem: Problem): void {
  const at = [...path, 'x-kubernetes-list-map-keys'];
  if (keys.length === 0) problem(path, 'a list of type map needs x-kubernetes-list-map-keys');
  if (new Set(keys).size < keys.length) problem(at, 'x-kubernetes-list-map-keys has a key twice');
  if (items['type'] !== 'object') {
    problem([...path, 'items'], 'the items of a list of type map must be objects');
    return;
  }
  const properties = mapOf(items['properties']);
  for (const key of keys) {
    const field = Object.hasOwn(properties, key) ? mapOf(properties[key]) : undefined;
    const place = [...path, 'items', 'properties', key];
    if (field === undefined) {
      problem(at, `the items have no field ${key}`);
      continue;
    }
    if (field['type'] === 'array' || field['type'] === 'object')
      problem(place, `the key ${key} must be a plain value`);
    if (field['nullable'] === true) problem(place, `the key ${key} cannot be nullable`);
    if (!textsOf(items['required']).includes(key) && !hasDefault(field))
      problem(place, `the key ${key} must be required, or have a default`);
  }
}

const reasons = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueDuplicate'];

/** All but the expressions themselves. */
function checkRule(rule: JsonMap, path: FieldPath, problem: Problem): void {
  const expression = textOf(rule['rule']).trim();
  const message = textOf(rule['message']);
  if (expression === '') problem(path, 'the rule is empty');
  else if (message !== '' && message.trim() === '') problem([...path, 'message'], 'the message is blank');
  else if (/[\r\n]/.test(message.trim())) problem([...path, 'message'], 'the message has several lines');
  else if (/[\r\n]/.test(expression) && message === '')
    problem([...path, 'rule'], 'a rule of several lines needs a message');
  for (const field of ['messageExpression', 'fieldPath']) {
    const value = textOf(rule[field]);
    if (value !== '' && value.trim() === '') problem([...path, field], `${field} is blank`);
  }
  if (/[\r\n]/.test(textOf(rule['fieldPath'])))
    problem([...path, 'fieldPath'], 'fieldPath has several lines');
  const { reason } = rule;
  if (reason !== undefined && reason !== null && !reasons.includes(textOf(reason)))
    problem([...path, 'reason'], `there is no reason ${textOf(reason)}; there are ${reasons.join(', ')}`);
}
