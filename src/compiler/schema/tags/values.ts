import {
  type JSONSchemaProps,
  type JsonValue,
  crdSchemaFields,
  checkForms,
  type SchemaPath,
} from '../../../kubernetes/crd/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import { isObject } from '../../../kubernetes/objects/index.ts';
import type { Doc } from '../shape.ts';

/** Result of reading the text of a tag: the value, or the problem with the text. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

/** Returns the number if the text is a number in the notation of JSON; otherwise undefined. */
export function parseNumber(text: string): number | undefined {
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

/** Parses a JSON text. For invalid JSON, returns a problem instead of throwing. */
export function parseJson(text: string): Parsed<JsonValue> {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The message of the JavaScript engine is not used, because it differs between versions of Node.
    return { problem: `${text} is not JSON` };
  }
}

/**
 * Reads the text of a `@default` or `@example` tag as a value of the schema's type. A string may be written without quotes, or in double or
 * single quotes. Any other value is written as JSON. For example, `@default 10` is the string "10" for a string field, and the number 10
 * for an integer field.
 */
export function coerce(schema: JSONSchemaProps, text: string): Parsed<JsonValue> {
  if (text === '') return { problem: 'expects a value, and none is given; write an empty string as `""`' };
  if (text === 'null') return nullValue(schema);
  if (schema['x-kubernetes-int-or-string'] === true) {
    const number = parseNumber(text);
    return number === undefined ? coerceString(text) : { value: number };
  }
  if (schema.type === 'string') return coerceString(text);
  const parsed = parseJson(text);
  return 'value' in parsed ? parsed : { problem: `${text} is not ${expected(schema)}` };
}

// Reads the text `null`, which for a string field might also mean the string "null".
function nullValue(schema: JSONSchemaProps): Parsed<JsonValue> {
  if (schema.nullable === true || schema.type === undefined) return { value: null };
  const text = schema.type === 'string' ? '; write the text as `"null"`' : '';
  return { problem: `null is not allowed: the type is not \`… | null\`${text}` };
}

function coerceString(text: string): Parsed<JsonValue> {
  if (text.startsWith('"')) {
    const parsed = parseJson(text);
    return 'value' in parsed && typeof parsed.value === 'string'
      ? parsed
      : { problem: `${text} is not a JSON string; write the text bare, or escape the quotes in it` };
  }
  if (text.includes('\n'))
    return {
      problem: `has a text of several lines; write line breaks as "\\n" in double quotes, and a text for people above the tags`,
    };
  const single = /^'([^']*)'$/.exec(text);
  if (single !== null) return { value: single[1] ?? '' };
  return text.startsWith('`')
    ? { problem: 'expects the text bare or in double quotes, got backquotes' }
    : { value: text };
}

function expected(schema: JSONSchemaProps): string {
  if (schema.type === 'object') return 'an object in JSON';
  if (schema.type === 'array') return 'a list in JSON';
  return schema.type === 'boolean'
    ? 'true or false'
    : schema.type === undefined
      ? 'JSON'
      : schema.type === 'integer'
        ? 'an integer'
        : `a ${schema.type}`;
}

/**
 * Reads a schema, or a part of one, as the API server reads it: each keyword must exist and have a value of the correct type. Does not
 * check if the keywords are compatible with each other.
 */
export function readSchema(value: unknown): Parsed<JSONSchemaProps> {
  if (!isObject(value as never)) return { problem: 'is not a JSON object' };
  const schema = value as Record<string, unknown>;
  const problems: string[] = [];
  const unknown = checkForms(schema, [], (path, message) => problems.push(`${message}${placeOf(path)}`));
  const [first] = unknown;
  if (first !== undefined) return { problem: noSuchField(first) };
  const [problem] = problems;
  return problem === undefined ? { value: schema } : { problem };
}

function noSuchField(path: SchemaPath): string {
  const name = String(path.at(-1));
  const meant = closestName(name, crdSchemaFields);
  return `a schema has no field ${name}${placeOf(path)}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function placeOf(path: SchemaPath): string {
  return path.length < 2 ? '' : ` (at ${path.join('.')})`;
}

/**
 * Parses the JSON object of a `@k8s` tag. The object may contain any fields of JSONSchemaProps; the later check of the entire schema
 * reports fields that the API server rejects.
 */
export function parseK8s(text: string): Parsed<JSONSchemaProps> {
  if (text === '') return { problem: 'expects a JSON object, such as `@k8s {"minLength": 1}`' };
  const parsed = parseJson(text);
  if ('problem' in parsed) return { problem: `expects a JSON object: ${parsed.problem}` };
  if (!isObject(parsed.value)) return { problem: 'expects a JSON object, such as `@k8s {"minLength": 1}`' };
  return readSchema(parsed.value);
}

/**
 * Merges the `@k8s` tags of a field and of its type. If both set the same keyword, the tag of the field applies. Unreadable tags are
 * skipped, because they are reported elsewhere.
 */
export function k8sOverrides(docs: readonly Doc[]): JSONSchemaProps {
  const merged: JSONSchemaProps = {};
  for (const doc of docs.toReversed()) {
    for (const tag of doc.tags) {
      const parsed = tag.name === 'k8s' ? parseK8s(tag.text) : undefined;
      if (parsed !== undefined && 'value' in parsed) mergeOverrides(merged, parsed.value);
    }
  }
  return merged;
}

/**
 * Writes the keywords of `@k8s` tags into a schema. Each keyword replaces the existing keyword. Only `properties` is merged: it replaces
 * the properties that it names and keeps the others.
 */
export function mergeOverrides(schema: JSONSchemaProps, overrides: JSONSchemaProps): void {
  const properties = overrides.properties && { ...schema.properties, ...overrides.properties };
  Object.assign(schema, structuredClone(overrides), properties && { properties });
}

/** Returns true if the keywords of `@k8s` tags alone determine the type of a field. */
export function saysType(overrides: JSONSchemaProps): boolean {
  return (
    overrides.type !== undefined ||
    overrides['x-kubernetes-int-or-string'] === true ||
    overrides['x-kubernetes-preserve-unknown-fields'] === true
  );
}
