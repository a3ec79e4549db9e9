import { isDeepStrictEqual } from 'node:util';
import { isJsonMap, jsonListOf, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';

/** Keywords that hold for every type, as functions of the keyword's value, the value, and the schema. */
const keywords: Readonly<Record<string, (keyword: unknown, value: unknown, schema: JsonMap) => boolean>> = {
  type: (types, value) => [types].flat().some((type) => isOfType(type, value)),
  enum: (values, value) => jsonListOf(values).some((each) => isDeepStrictEqual(each, value)),
  not: (schema, value) => !accepts(schema, value),
  anyOf: (schemas, value) => jsonListOf(schemas).some((each) => accepts(each, value)),
  allOf: (schemas, value) => jsonListOf(schemas).every((each) => accepts(each, value)),
  if: (condition, value, schema) =>
    accepts((accepts(condition, value) ? schema['then'] : schema['else']) ?? true, value),
  pattern: (pattern, value) => typeof value !== 'string' || new RegExp(String(pattern), 'u').test(value),
  minLength: (least, value) => typeof value !== 'string' || value.length >= Number(least),
  maxLength: (most, value) => typeof value !== 'string' || value.length <= Number(most),
  minimum: (least, value) => typeof value !== 'number' || value >= Number(least),
  maximum: (most, value) => typeof value !== 'number' || value <= Number(most),
  minItems: (least, value) => !Array.isArray(value) || value.length >= Number(least),
  maxItems: (most, value) => !Array.isArray(value) || value.length <= Number(most),
  items: (schema, value) => !Array.isArray(value) || value.every((item) => accepts(schema, item)),
  minProperties: (least, value) => !isJsonMap(value) || Object.keys(value).length >= Number(least),
  maxProperties: (most, value) => !isJsonMap(value) || Object.keys(value).length <= Number(most),
  required: (names, value) =>
    !isJsonMap(value) || jsonListOf(names).every((name) => Object.hasOwn(value, String(name))),
  dependencies: (dependencies, value) =>
    !isJsonMap(value) ||
    Object.entries(jsonMapOf(dependencies)).every(
      ([name, needed]) =>
        !Object.hasOwn(value, name) || jsonListOf(needed).every((each) => Object.hasOwn(value, String(each))),
    ),
  properties: (properties, value) =>
    !isJsonMap(value) ||
    Object.entries(jsonMapOf(properties)).every(
      ([name, schema]) => !Object.hasOwn(value, name) || accepts(schema, value[name]),
    ),
  patternProperties: (patterns, value) =>
    !isJsonMap(value) ||
    Object.entries(jsonMapOf(patterns)).every(([pattern, schema]) =>
      Object.entries(value).every(
        ([name, each]) => !new RegExp(pattern, 'u').test(name) || accepts(schema, each),
      ),
    ),
  additionalProperties: (further, value, { properties, patternProperties }) =>
    !isJsonMap(value) ||
    Object.entries(value)
      .filter(
        ([name]) =>
          !Object.hasOwn(jsonMapOf(properties), name) &&
          !Object.keys(jsonMapOf(patternProperties)).some((pattern) => new RegExp(pattern, 'u').test(name)),
      )
      .every(([, each]) => accepts(further, each)),
};

/** Returns true if a schema of draft 7 accepts a value. Knows the keywords that the schemas of charts have. */
export function accepts(schema: unknown, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema;
  const map = jsonMapOf(schema);
  return Object.entries(map).every(([name, keyword]) => keywords[name]?.(keyword, value, map) ?? true);
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonMap(value);
  return type === (value === null ? 'null' : typeof value);
}
