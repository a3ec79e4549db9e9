import { isJsonMap, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { Schema } from '../rules/schema/check-forms.ts';

/** Type of a value in a CEL expression, as far as it can be determined. */
export type CelType =
  /** Type that is unknown, or that the API server determines only when the rule runs. */
  | { readonly kind: 'any' }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Schema> }
  | { readonly kind: 'list'; readonly item: CelType }
  | { readonly kind: 'map'; readonly value: CelType }
  | { readonly kind: 'optional'; readonly of: CelType }
  | { readonly kind: 'bool' | 'bytes' | 'double' | 'duration' | 'int' | 'string' | 'timestamp' };

export const anyCel: CelType = { kind: 'any' };
const text: Schema = { type: 'string' };
const metadata: Schema = { type: 'object', properties: { name: text, generateName: text } };

const textTypes: Readonly<Record<string, 'bytes' | 'duration' | 'timestamp'>> = {
  byte: 'bytes',
  duration: 'duration',
  date: 'timestamp',
  'date-time': 'timestamp',
};

/**
 * Returns the type that a value of a schema has in expressions. Returns undefined if expressions cannot access the value. This is the case
 * for a value without a declared type, such as `Json`, and for lists and maps of such values. Source: kube's
 * `apiserver/pkg/cel/common/schemas.go`, SchemaDeclType.
 *
 * @param isResource true for the root of a custom resource. Default: true for embedded resources
 */
export function celTypeOf(
  schema: Schema,
  isResource = schema['x-kubernetes-embedded-resource'] === true,
): CelType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return anyCel;
  const { type, items, additionalProperties, format } = schema;
  switch (type) {
    case 'array': {
      const item = isJsonMap(items) ? celTypeOf(items) : undefined;
      return item && { kind: 'list', item };
    }
    case 'object': {
      if (!isJsonMap(additionalProperties)) return { kind: 'object', fields: fieldsOf(schema, isResource) };
      const value = celTypeOf(additionalProperties);
      return value && { kind: 'map', value };
    }
    case 'string':
      return { kind: textTypes[jsonTextOf(format)] ?? 'string' };
    case 'boolean':
      return { kind: 'bool' };
    case 'number':
      return { kind: 'double' };
    case 'integer':
      return { kind: 'int' };
    default:
      return undefined;
  }
}

/** Returns the schemas of the fields that an expression can access. The keys are the escaped names that expressions use. */
function fieldsOf(schema: Schema, isResource: boolean): ReadonlyMap<string, Schema> {
  const properties = jsonMapOf(schema['properties']);
  const fields = new Map<string, Schema>();
  // Rules can access only `name` and `generateName` of a resource's metadata.
  const all = isResource ? { ...properties, kind: text, apiVersion: text, metadata } : properties;
  for (const name of Object.keys(all)) {
    const field = all[name];
    if (isJsonMap(field) && hasCelName(name)) fields.set(celName(name), field);
  }
  return fields;
}

/** Reserved words. A field with such a name must be escaped in expressions. Source: kube's `apiserver/pkg/cel/escaping.go`. */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** Returns true if expressions can access a field with this name. */
export function hasCelName(field: string): boolean {
  return /^[a-zA-Z_./-][\w./-]*$/.test(field);
}

/** Returns a field's name as written in expressions, escaped if necessary. Source: kube's `apiserver/pkg/cel/escaping.go`. */
export function celName(field: string): string {
  if (reserved.has(field)) return `__${field}__`;
  return field
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
