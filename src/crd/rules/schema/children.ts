import { isJsonMap, jsonListOf, jsonMapOf } from '../../../util/json-map.ts';
import type { Child, Schema } from './types.ts';

/** The words that combine schemas. */
export const junctors = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** The schemas that say what the fields and items of a value are. */
export function structuralChildren({ properties, items, additionalProperties }: Schema): readonly Child[] {
  return [
    ...childrenIn('properties', properties),
    ...(isJsonMap(items) ? [[['items'], items] as const] : []),
    ...(isJsonMap(additionalProperties) ? [[['additionalProperties'], additionalProperties] as const] : []),
  ];
}

/** The schemas in `allOf`, `anyOf`, `oneOf` and `not`. */
export function junctorChildren(schema: Schema): readonly Child[] {
  return junctors.flatMap((word): readonly Child[] => {
    const value = schema[word];
    if (isJsonMap(value)) return [[[word], value]];
    return jsonListOf(value).flatMap((item, index) =>
      isJsonMap(item) ? [[[word, index], item] as const] : [],
    );
  });
}

function childrenIn(field: string, value: unknown): readonly Child[] {
  return Object.entries(jsonMapOf(value)).flatMap(([name, child]) =>
    isJsonMap(child) ? [[[field, name], child] as const] : [],
  );
}
