import type { JSONSchemaProps, JsonValue } from '../../../kubernetes/crd/json-schema-props.ts';
import { numberRange } from '../../../kubernetes/crd/value/number-range.ts';

/** The outcome of reading a tag's text. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

/** A number as JSON writes it; undefined for any other text. */
export function parseNumber(text: string): number | undefined {
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

/** JSON. */
export function parseJson(text: string): Parsed<JsonValue> {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine's own words differ between versions of Node.
    return { problem: `${text} is not JSON` };
  }
}

/**
 * The text of a `@default` or `@example` as a value of the schema's type: a string may be written bare, in double or in single quotes,
 * everything else is JSON. `@default 10` is the string "10" for a string field and the number 10 for an integer.
 */
export function coerce(schema: JSONSchemaProps, text: string): Parsed<JsonValue> {
  if (text === '') return { problem: 'a value is missing; write an empty string as `""`' };
  if (text === 'null') return nullValue(schema);
  if (schema['x-kubernetes-int-or-string'] === true) {
    const number = parseNumber(text);
    return number === undefined ? coerceString(text) : { value: number };
  }
  if (schema.type === 'string') return coerceString(text);
  const parsed = parseJson(text);
  return 'value' in parsed ? parsed : { problem: `${text} is not ${expected(schema)}` };
}

// For a string this might mean the text as well.
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
  return text.startsWith('`') ? { problem: 'write the text bare or in double quotes' } : { value: text };
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

/** The range of the bounds of an integer: Kubernetes reads them as doubles, so those of 64 bits are as exact as a double. */
export function boundRange(schema: JSONSchemaProps): { readonly least: number; readonly greatest: number } {
  return schema.format === 'int32' ? numberRange(schema) : { least: -(2 ** 63), greatest: 2 ** 63 };
}
