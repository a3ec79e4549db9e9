import { isJsonMap, jsonListOf } from '../../../../base/util/json-map.ts';
import type { Child, Schema } from './types.ts';

/** The words that combine schemas. */
export const junctors = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** The schemas that say what the fields and items of a value are. */
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

/** The schemas in `allOf`, `anyOf`, `oneOf` and `not`. */
export function junctorChildren(schema: Schema): readonly Child[] {
  // Nearly all schemas have none of them.
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
