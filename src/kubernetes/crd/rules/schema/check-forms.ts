import { isJsonMap, jsonMapOf, jsonTextOf, type JsonMap } from '../../../../base/util/json-map.ts';

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

/** Forms that the fields of `JSONSchemaProps` must have to be decoded. Source: apiextensions v1 `types_jsonschema.go`. */
const forms: ReadonlyMap<string, Form> = new Map(
  Object.entries<Form>({
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
  }),
);

const holdsSchemas: ReadonlySet<Form> = new Set<Form>([
  'schema',
  'schemas',
  'schema map',
  'schema or boolean',
  'schema or list',
]);

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
 * Checks that a schema can be decoded, and reports undecodable parts through `problem`.
 * @returns the paths of the fields that the API server does not know and drops
 */
export function checkForms(schema: Schema, path: SchemaPath, problem: Problem): readonly SchemaPath[] {
  const unknown: SchemaPath[] = [];
  visit(schema, [...path], (at, message) => problem([...at], message), unknown);
  return unknown;
}

function visit(schema: Schema, path: WalkedPath, problem: Problem, unknown: SchemaPath[]): void {
  for (const field of Object.keys(schema)) {
    const value = schema[field];
    const form = forms.get(field);
    if (form === undefined) {
      unknown.push([...path, field]);
      continue;
    }
    // Go treats null as an absent field.
    if (value === null) continue;
    path.push(field);
    if (!fits[form](value)) problem(path, `${field} cannot be ${describe(value)}`);
    else if (holdsSchemas.has(form)) visitInner(form, value, path, problem, unknown);
    path.pop();
  }
}

function visitInner(
  form: Form,
  value: unknown,
  path: WalkedPath,
  problem: Problem,
  unknown: SchemaPath[],
): void {
  const isList = Array.isArray(value);
  if (!isList && form !== 'schema map') {
    if (isJsonMap(value)) visit(value, path, problem, unknown);
    return;
  }
  // `key` is an index if the value is a list, and a name if it is a map.
  for (const key of isList ? value.keys() : Object.keys(jsonMapOf(value))) {
    const inner = (value as Readonly<Record<string | number, unknown>>)[key];
    if (!isJsonMap(inner)) continue;
    path.push(key);
    visit(inner, path, problem, unknown);
    path.pop();
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'this list';
  if (isJsonMap(value)) return 'this mapping';
  return jsonTextOf(value) === '' ? JSON.stringify(value) : 'text';
}

/** Schema of a CustomResourceDefinition (`JSONSchemaProps`), after a check that its fields have the right types. */
export type Schema = JsonMap;

/** Keys and indices that lead from a schema to a part of it. */
export type SchemaPath = readonly (string | number)[];

/**
 * Reports a problem of a part of a schema.
 *
 * @param path path of the part; begins with the path of the checked schema
 * @param owner path of the schema that breaks the rule, if it is not the schema at `path`, for example the list whose items do not fit its
 * list type
 */
export type Problem = (path: SchemaPath, message: string, owner?: SchemaPath) => void;

/**
 * Path that the walk through a schema extends and shortens in place, because schemas have thousands of parts and few problems. Copy the
 * path before you keep it.
 */
export type WalkedPath = (string | number)[];

/** Schema inside of another schema, and the keys that lead to the inner one. */
export type Child = readonly [keys: SchemaPath, schema: Schema];
