import { isJsonMap, jsonMapOf } from '../../../../base/util/json-map.ts';
import { checkPattern } from './check-pattern.ts';
import { junctorChildren } from './children.ts';
import type { Problem, Schema, SchemaPath } from './types.ts';

/** Keywords that only the schema around a junctor may have. Source: apiextensions-apiserver `validateNestedValueValidation`. */
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

/** `anyOf: [{type: integer}, {type: string}]`, the one place where types are allowed in a junctor. */
function isIntOrStringUnion({ anyOf }: Schema): boolean {
  return anyOf !== undefined && JSON.stringify(anyOf) === '[{"type":"integer"},{"type":"string"}]';
}

/**
 * The schemas in the junctors of a schema: they may restrict values, not say what there is.
 * @param mayBeUnion whether `anyOf` may be the union of integer and string; the first of `allOf` may, too
 */
export function checkJunctors(schema: Schema, path: SchemaPath, problem: Problem, mayBeUnion = true): void {
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
    problem([...path, 'properties', 'metadata'], 'metadata cannot be restricted here');
  checkPattern(schema, path, problem);
  checkJunctors(schema, path, problem, mayBeUnion);
  if (isJsonMap(schema['items'])) checkNested(schema['items'], [...path, 'items'], problem, false);
  for (const [name, child] of Object.entries(properties)) {
    if (isJsonMap(child)) checkNested(child, [...path, 'properties', name], problem, false);
  }
}

/**
 * Checks that everything that the junctors of the root restrict is declared outside of them.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/complete.go`, which looks at the root alone.
 */
export function checkCompleteness(root: Schema, path: SchemaPath, problem: Problem): void {
  for (const [keys, nested] of junctorChildren(root)) compare(nested, root, [...path, ...keys], problem);
}

function compare(nested: Schema, declared: Schema | undefined, path: SchemaPath, problem: Problem): void {
  if (declared === undefined) {
    problem(path, 'what is restricted here must be declared outside of allOf, anyOf, oneOf and not');
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
