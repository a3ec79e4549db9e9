import { jsonListOf, jsonMapOf, type JsonMap } from '../../../../base/util/json-map.ts';
import { hasDefault } from '../../has-default.ts';
import type { Problem, Schema, SchemaPath } from './types.ts';

/** Checks that the items of a list can be identified as its type requires. Source: apiextensions `validation.go` `ValidateCustomResourceDefinitionOpenAPISchema`. */
export function checkListType(schema: Schema, path: SchemaPath, problem: Problem): void {
  const listType = schema['x-kubernetes-list-type'];
  const keys = textsOf(schema['x-kubernetes-list-map-keys']);
  if (keys.length > 0 && listType !== 'map')
    problem(
      [...path, 'x-kubernetes-list-map-keys'],
      'x-kubernetes-list-map-keys needs x-kubernetes-list-type: map',
    );
  if (listType === undefined || listType === null) return;
  const at = [...path, 'x-kubernetes-list-type'];
  if (schema['type'] !== 'array') problem(at, 'x-kubernetes-list-type needs the type array');
  if (listType !== 'atomic' && listType !== 'set' && listType !== 'map') {
    problem(at, 'x-kubernetes-list-type is atomic, set or map');
    return;
  }
  const items = jsonMapOf(schema['items']);
  const ofList: Problem = (where, message) => problem(where, message, path);
  if (listType !== 'atomic' && items['nullable'] === true)
    ofList([...path, 'items', 'nullable'], `the items of a list of type ${listType} cannot be nullable`);
  if (listType === 'set') checkSet(items, [...path, 'items'], ofList);
  if (listType === 'map') checkMapKeys(items, keys, path, ofList);
}

/** Items of a set are compared whole, so they must be whole. */
function checkSet(items: JsonMap, path: SchemaPath, problem: Problem): void {
  const isSplit =
    (items['type'] === 'object' && items['x-kubernetes-map-type'] !== 'atomic') ||
    (items['type'] === 'array' &&
      !['atomic', undefined, null].includes(items['x-kubernetes-list-type'] as string));
  if (isSplit) problem(path, 'the items of a list of type set must be atomic');
}

function checkMapKeys(items: JsonMap, keys: readonly string[], path: SchemaPath, problem: Problem): void {
  const at = [...path, 'x-kubernetes-list-map-keys'];
  if (keys.length === 0) problem(path, 'a list of type map needs x-kubernetes-list-map-keys');
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

/** Returns true if the items of a list keep their identity when the object changes: only those of a map do. */
export function keepsItems(schema: Schema): boolean {
  return schema['x-kubernetes-list-type'] === 'map';
}

function textsOf(value: unknown): readonly string[] {
  return jsonListOf(value).filter((item) => typeof item === 'string');
}
