import { isJsonMap, jsonTextOf } from '../../../util/json-map.ts';
import type { Problem, Schema, SchemaPath } from './types.ts';

type Form =
  | 'text'
  | 'texts'
  | 'boolean'
  | 'number'
  | 'integer'
  | 'values'
  | 'any'
  | 'rules'
  | 'map'
  | 'schema'
  | 'schemas'
  | 'schema map'
  | 'schema or boolean'
  | 'schema or list';

/** What decodes into `JSONSchemaProps`. Source: apiextensions v1 `types_jsonschema.go`. */
const forms: Readonly<Record<string, Form>> = {
  id: 'text',
  $schema: 'text',
  $ref: 'text',
  description: 'text',
  type: 'text',
  format: 'text',
  title: 'text',
  default: 'any',
  maximum: 'number',
  exclusiveMaximum: 'boolean',
  minimum: 'number',
  exclusiveMinimum: 'boolean',
  maxLength: 'integer',
  minLength: 'integer',
  pattern: 'text',
  maxItems: 'integer',
  minItems: 'integer',
  uniqueItems: 'boolean',
  multipleOf: 'number',
  enum: 'values',
  maxProperties: 'integer',
  minProperties: 'integer',
  required: 'texts',
  items: 'schema or list',
  allOf: 'schemas',
  oneOf: 'schemas',
  anyOf: 'schemas',
  not: 'schema',
  properties: 'schema map',
  additionalProperties: 'schema or boolean',
  patternProperties: 'schema map',
  dependencies: 'map',
  additionalItems: 'schema or boolean',
  definitions: 'schema map',
  externalDocs: 'map',
  example: 'any',
  nullable: 'boolean',
  'x-kubernetes-preserve-unknown-fields': 'boolean',
  'x-kubernetes-embedded-resource': 'boolean',
  'x-kubernetes-int-or-string': 'boolean',
  'x-kubernetes-list-map-keys': 'texts',
  'x-kubernetes-list-type': 'text',
  'x-kubernetes-map-type': 'text',
  'x-kubernetes-validations': 'rules',
};

const isTextOrNone = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'string';

const fits: Readonly<Record<Form, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  values: Array.isArray,
  any: () => true,
  rules: (value) =>
    Array.isArray(value) &&
    value.every(
      (item) =>
        isJsonMap(item) &&
        ['rule', 'message', 'messageExpression', 'reason', 'fieldPath'].every((field) =>
          isTextOrNone(item[field]),
        ),
    ),
  map: isJsonMap,
  schema: isJsonMap,
  schemas: (value) => Array.isArray(value) && value.every(isJsonMap),
  'schema map': (value) => isJsonMap(value) && Object.values(value).every(isJsonMap),
  'schema or boolean': (value) => isJsonMap(value) || typeof value === 'boolean',
  'schema or list': (value) => isJsonMap(value) || Array.isArray(value),
};

/**
 * Whether a schema can be read at all, and the fields in it that the API server does not know and drops.
 * @returns the unknown fields with their places; what cannot be read is said through `problem`
 */
export function checkForms(schema: Schema, path: SchemaPath, problem: Problem): readonly SchemaPath[] {
  return Object.entries(schema).flatMap(([field, value]): readonly SchemaPath[] => {
    const form = Object.hasOwn(forms, field) ? forms[field] : undefined;
    const at = [...path, field];
    if (form === undefined) return [at];
    // Go takes null for a field that is not there.
    if (value === null) return [];
    if (!fits[form](value)) {
      problem(at, `${field} cannot be ${describe(value)}`);
      return [];
    }
    return innerSchemas(form, value).flatMap(([key, inner]) => checkForms(inner, [...at, ...key], problem));
  });
}

function innerSchemas(form: Form, value: unknown): readonly (readonly [SchemaPath, Schema])[] {
  if (form === 'schemas' || (form === 'schema or list' && Array.isArray(value))) {
    const list = value as readonly unknown[];
    return list.flatMap((item, index) => (isJsonMap(item) ? [[[index], item] as const] : []));
  }
  if (form === 'schema map') {
    return Object.entries(value as Readonly<Record<string, Schema>>).map(
      ([name, item]) => [[name], item] as const,
    );
  }
  return form.startsWith('schema') && isJsonMap(value) ? [[[], value]] : [];
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'this list';
  if (isJsonMap(value)) return 'this mapping';
  return jsonTextOf(value) === '' ? JSON.stringify(value) : 'text';
}
