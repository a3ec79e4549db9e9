import { isJsonMap, jsonMapOf, jsonTextOf } from '../../../../base/util/json-map.ts';
import { checkCompleteness, checkJunctors } from './check-nested.ts';
import { checkPattern } from './check-pattern.ts';
import { structuralChildren } from './children.ts';
import type { Problem, Schema, SchemaPath, WalkedPath } from './types.ts';

/**
 * Checks that a schema is structural: fields are declared outside of `allOf`, `anyOf`, `oneOf` and `not`, with a type.
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
  if (isEmbedded && type !== 'object') problem(path, 'x-kubernetes-embedded-resource needs the type object');
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

/** The API server knows the metadata of objects itself; little may be said of them. */
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

/** Returns true if Go would take a value for a missing one. */
export function isZero(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '';
}
