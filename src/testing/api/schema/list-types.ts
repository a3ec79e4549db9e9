import { duplicateValue, invalidValue, type FieldError } from '../field-error.ts';
import { goJson, isJsonObject, type Json } from '../json.ts';
import { fieldSchema, valueSchema, type Schema } from './schema.ts';

/** Items that occur twice in sets, and keys that occur twice in lists of type map. Source: apiextensions-apiserver `pkg/apiserver/schema/listtype`. */
export function listTypeErrors(value: Json, schema: Schema, path = ''): readonly FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return [
      ...ownErrors(value, schema, path),
      ...(items === undefined
        ? []
        : value.flatMap((item, index) => listTypeErrors(item, items, `${path}[${index}]`))),
    ];
  }
  if (!isJsonObject(value)) return [];
  const values = valueSchema(schema);
  return Object.entries(value).flatMap(([name, item]) => {
    const property = fieldSchema(schema, name);
    if (property !== undefined) return listTypeErrors(item, property, path === '' ? name : `${path}.${name}`);
    return values === undefined ? [] : listTypeErrors(item, values, `${path}[${name}]`);
  });
}

function ownErrors(value: readonly Json[], schema: Schema, path: string): readonly FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set')
    return duplicates(value).map((index) => duplicateValue(`${path}[${index}]`, value[index] ?? null));
  if (type !== 'map') return [];
  const odd = value.findIndex((item) => item !== null && !isJsonObject(item));
  if (odd >= 0)
    return [
      invalidValue(`${path}[${odd}]`, value[odd] ?? null, 'must be an object for an array of list-type map'),
    ];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const parts = value.map((item): Json => {
    if (!isJsonObject(item)) return {};
    return Object.fromEntries(
      keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key] ?? null]),
    );
  });
  return duplicates(parts).map((index) => duplicateValue(`${path}[${index}]`, parts[index] ?? null));
}

/** Where an item stands for the second time; further ones are not reported. */
function duplicates(items: readonly Json[]): readonly number[] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const text = goJson(item);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    return times === 1 ? [index] : [];
  });
}
