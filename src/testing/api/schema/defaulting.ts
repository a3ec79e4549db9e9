import { hasDefault } from '../../../kubernetes/crd/has-default.ts';
import { clone, isJsonObject, type Json } from '../json.ts';
import { fieldSchema, valueSchema, type Schema } from './schema.ts';

const isDisallowedNull = (value: Json | undefined, schema: Schema | undefined): boolean =>
  value === null && schema !== undefined && schema.nullable !== true;

const defaultOf = (schema: Schema): Json | undefined =>
  hasDefault(schema as Record<string, unknown>) ? clone(schema.default as Json) : undefined;

/**
 * Fills in the defaults of a schema, in place; a null that is not allowed counts as absent.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/defaulting/algorithm.go`.
 */
export function fillDefaults(value: Json | undefined, schema: Schema | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    for (const [index, item] of value.entries()) {
      if (isDisallowedNull(item, items) && items !== undefined) value[index] = defaultOf(items) ?? null;
      fillDefaults(value[index], items);
    }
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const filling = defaultOf(property);
    if (filling === undefined) continue;
    if (!Object.hasOwn(value, name) || isDisallowedNull(value[name], property)) value[name] = filling;
  }
  const values = valueSchema(schema);
  for (const name of Object.keys(value)) {
    const property = fieldSchema(schema, name);
    if (property === undefined && values !== undefined && isDisallowedNull(value[name], values))
      value[name] = defaultOf(values) ?? null;
    fillDefaults(value[name], property ?? values);
  }
}

/** Removes nulls that are not allowed and have no default, in place. Source: `defaulting/prune.go`. */
export function removeNulls(value: Json | undefined, schema: Schema | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) removeNulls(item, schema.items);
    return;
  }
  if (!isJsonObject(value)) return;
  const values = valueSchema(schema);
  for (const name of Object.keys(value)) {
    const property = fieldSchema(schema, name) ?? values;
    if (property === undefined) continue;
    if (isDisallowedNull(value[name], property) && defaultOf(property) === undefined) delete value[name];
    else removeNulls(value[name], property);
  }
}
