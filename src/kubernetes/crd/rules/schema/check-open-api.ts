import { isJsonMap, jsonMapOf, jsonTextOf } from '../../../../base/util/json-map.ts';
import { hasDefault } from '../../has-default.ts';
import { checkListType, keepsItems } from './check-lists.ts';
import { checkRules } from './check-rules.ts';
import { junctorChildren, structuralChildren } from './children.ts';
import type { Problem, Schema, SchemaPath, WalkedPath } from './types.ts';

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
  /** Why a default is not allowed here. */
  readonly noDefault: string | undefined;
  /** The outermost list around whose items cannot be followed from one state of the object to the next. */
  readonly changing: SchemaPath | undefined;
  /** Inside of allOf, anyOf, oneOf or not, where no rules can be: what they say is of no interest. */
  readonly inJunctor: boolean;
}

/**
 * Checks the keywords of a single schema, at every depth.
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
    problem([...path, 'items'], 'items is one schema, not a list of schemas');
  if (schema['uniqueItems'] === true)
    problem(
      [...path, 'uniqueItems'],
      'uniqueItems cannot be true; x-kubernetes-list-type: set says the same',
    );
  if (around.inMeta && isEmbedded)
    problem([...path, 'x-kubernetes-embedded-resource'], 'metadata cannot contain a resource');
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
      'x-kubernetes-preserve-unknown-fields is true or absent',
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
  // Nearly all schemas are such ones, and their surroundings those of the schema around them.
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
  if (type !== 'object') problem(path, 'x-kubernetes-map-type needs the type object');
  if (mapType !== 'atomic' && mapType !== 'granular')
    problem([...path, 'x-kubernetes-map-type'], 'x-kubernetes-map-type is atomic or granular');
}
