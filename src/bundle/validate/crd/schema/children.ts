import { isMap } from '../../../json.ts';
import { listOf, mapOf } from '../../fields.ts';
import type { Child, Schema } from './types.ts';

/** The words that combine schemas. */
export const junctors = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** The schemas that say what the fields and items of a value are. */
export function structuralChildren({ properties, items, additionalProperties }: Schema): readonly Child[] {
  return [
    ...childrenIn('properties', properties),
    ...(isMap(items) ? [[['items'], items] as const] : []),
    ...(isMap(additionalProperties) ? [[['additionalProperties'], additionalProperties] as const] : []),
  ];
}

/** The schemas in `allOf`, `anyOf`, `oneOf` and `not`. */
export function junctorChildren(schema: Schema): readonly Child[] {
  return junctors.flatMap((word): readonly Child[] => {
    const value = schema[word];
    if (isMap(value)) return [[[word], value]];
    return listOf(value).flatMap((item, index) => (isMap(item) ? [[[word, index], item] as const] : []));
  });
}

function childrenIn(field: string, value: unknown): readonly Child[] {
  return Object.entries(mapOf(value)).flatMap(([name, child]) =>
    isMap(child) ? [[[field, name], child] as const] : [],
  );
}
