import type { JSONSchemaProps, JsonValue } from '../../../kubernetes/crd/json-schema-props.ts';
import type { Lint } from './node.ts';

const texts = ['minLength', 'maxLength', 'pattern'] as const;
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;
const lists = ['minItems', 'maxItems', 'items'] as const;
const objects = ['minProperties', 'maxProperties', 'required', 'properties', 'additionalProperties'] as const;

const appliesTo: Readonly<Record<string, readonly (keyof JSONSchemaProps)[]>> = {
  string: texts,
  integer: numbers,
  number: numbers,
  array: lists,
  object: objects,
  boolean: [],
};

/**
 * Warns of parts that the API server accepts and never applies: keywords of other types, values of an enumeration that are of another type, and fields
 * named in oneOf and its like that the schema does not have. Tags refuse the first two themselves; `@k8s` says anything.
 */
export const noEffectLint: Lint = ({ node: { schema } }) =>
  [...nullDefault(schema), ...foreignKeywords(schema), ...foreignValues(schema), ...lostNames(schema)].map(
    (message) => ({
      problem: { code: 'schema/no-effect', message, fix: ['remove it, or correct it'] },
    }),
  );

/** Go reads a default of null as none. Source: apiextensions v1 `JSONSchemaProps.Default`, a pointer. */
function nullDefault(schema: JSONSchemaProps): string[] {
  return schema.default === null ? ['a default of null has no effect: the API server takes it for none'] : [];
}

function foreignKeywords(schema: JSONSchemaProps): string[] {
  const { type } = schema;
  const own = type === undefined ? undefined : appliesTo[type];
  if (own === undefined) return [];
  return [...texts, ...numbers, ...lists, ...objects]
    .filter((keyword) => schema[keyword] !== undefined && !own.includes(keyword))
    .map((keyword) => `${keyword} has no effect on a value of type ${type}`);
}

function foreignValues({ type, enum: values = [] }: JSONSchemaProps): string[] {
  return values
    .filter((value) => type !== undefined && value !== null && !isOf(type, value))
    .map((value) => `no value of type ${type} can be ${JSON.stringify(value)}, which the enumeration has`);
}

function isOf(type: string, value: JsonValue): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  return typeof value === type;
}

function lostNames(schema: JSONSchemaProps): string[] {
  const { properties = {}, additionalProperties, type } = schema;
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties !== undefined;
  if (type !== 'object' || isOpen) return [];
  const names = junctors(schema).flatMap((part) => [
    ...(part.required ?? []),
    ...Object.keys(part.properties ?? {}),
  ]);
  return [...new Set(names)]
    .filter((name) => !Object.hasOwn(properties, name))
    .map(
      (name) =>
        `oneOf, anyOf, allOf or not name ${JSON.stringify(name)}, a field that the schema does not have`,
    );
}

/** The schemas in the junctors of a schema, and those in their own. */
function junctors({ oneOf = [], anyOf = [], allOf = [], not }: JSONSchemaProps): readonly JSONSchemaProps[] {
  const inner = [...oneOf, ...anyOf, ...allOf, ...(not === undefined ? [] : [not])];
  return inner.flatMap((part) => [part, ...junctors(part)]);
}
