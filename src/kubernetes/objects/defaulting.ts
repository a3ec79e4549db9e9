import { clone, isObject, type Json, type JsonObject } from './json.ts';
import { fieldSchema, hasDefault, isOpen, valueSchema, type Schema } from './schema.ts';

/** Fields that every resource has, even if its schema does not declare them. */
const resourceFieldNames: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

const isDisallowedNull = (value: Json | undefined, schema: Schema | undefined): boolean =>
  value === null && schema !== undefined && schema.nullable !== true;

const defaultOf = (schema: Schema): Json | undefined =>
  hasDefault(schema) ? clone(schema.default as Json) : undefined;

/**
 * Sets the defaults of a schema in a value, in place. A null that the schema does not allow counts as absent. Source:
 * apiextensions-apiserver `pkg/apiserver/schema/defaulting/algorithm.go`.
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
  if (!isObject(value)) return;
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

/** Removes null fields that the schema does not allow and for which it has no default, in place. Source: `defaulting/prune.go`. */
export function removeNulls(value: Json | undefined, schema: Schema | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) removeNulls(item, schema.items);
    return;
  }
  if (!isObject(value)) return;
  const values = valueSchema(schema);
  for (const name of Object.keys(value)) {
    const property = fieldSchema(schema, name) ?? values;
    if (property === undefined) continue;
    if (isDisallowedNull(value[name], property) && defaultOf(property) === undefined) delete value[name];
    else removeNulls(value[name], property);
  }
}

/** Field of a value that the schema does not declare. */
interface UnknownField {
  /** Path of the field, in the format of the API server. */
  readonly at: string;
  readonly path: readonly (string | number)[];
  /** Names of the fields that the schema declares in the same object. */
  readonly known: readonly string[];
}

/**
 * Removes fields that the schema does not declare, in place, and returns the sorted paths of the removed fields. `metadata` of the root and
 * of embedded resources is kept.
 */
export function prune(object: JsonObject, schema: Schema): readonly string[] {
  const root = { ...schema, 'x-kubernetes-embedded-resource': true };
  return pruneField(object, root)
    .map(({ at }) => at)
    .sort();
}

/**
 * Removes fields of a value that its schema does not declare, in place, and returns the removed fields. Source: apiextensions-apiserver
 * `pkg/apiserver/schema/pruning/algorithm.go`.
 */
export function pruneField(value: Json, schema: Schema): readonly UnknownField[] {
  const removed: UnknownField[] = [];
  visit(value, schema, '', [], false);
  return removed;

  function visit(
    part: Json,
    own: Schema | undefined,
    at: string,
    path: UnknownField['path'],
    open: boolean,
  ): void {
    const keepsUnknown = open || (own !== undefined && isOpen(own));
    if (Array.isArray(part)) {
      const items = own?.items;
      if (keepsUnknown && items === undefined) return;
      // If a list keeps unknown fields, its items keep unknown fields, too, regardless of the schema of the items.
      for (const [index, item] of part.entries())
        visit(item, items, `${at}[${index}]`, [...path, index], keepsUnknown);
      return;
    }
    if (!isObject(part)) return;
    const fields = Object.keys(own?.properties ?? {});
    for (const name of Object.keys(part)) {
      if (own?.['x-kubernetes-embedded-resource'] === true && resourceFieldNames.has(name)) continue;
      const inside = at === '' ? name : `${at}.${name}`;
      const known = own === undefined ? undefined : fieldSchema(own, name);
      const additional = own?.additionalProperties;
      if (known !== undefined) visit(part[name] ?? null, known, inside, [...path, name], false);
      else if (own !== undefined && additional !== undefined && additional !== false) {
        // `additionalProperties: true` declares no schema, so every field below it counts as undeclared.
        visit(part[name] ?? null, valueSchema(own), inside, [...path, name], false);
      } else if (!keepsUnknown) {
        removed.push({ at: inside, path: [...path, name], known: fields });
        delete part[name];
      }
    }
  }
}
