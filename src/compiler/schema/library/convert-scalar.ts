import type { JsonValue, JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import { isKnownFormat, patternProblem } from '../../../kubernetes/objects/index.ts';
import { enumeration } from '../schema-size.ts';
import { itemsOfList, type JsonSchema, type Conversion, type Part } from './json-schema.ts';

const int32 = { least: -(2 ** 31), most: 2 ** 31 - 1 };
const float32 = 3.4028234663852886e38;

/** Bounds that a format implies, as minimum and maximum. They apply if the schema itself contains no bounds. */
export const formatBounds: Readonly<Record<string, readonly [number, number]>> = {
  int32: [int32.least, int32.most],
  float: [-float32, float32],
};

/** Returns the values of a literal or an enumeration; undefined for a part of any other type. */
export function valuesOf({ const: only, enum: values }: JsonSchema): readonly JsonValue[] | undefined {
  return only === undefined ? (Array.isArray(values) ? itemsOfList(values) : undefined) : [only];
}

/** Converts values to an enumeration. If the values have no type in common, reports a finding and returns undefined. */
export function enumSchema(
  conversion: Conversion,
  part: Part,
  values: readonly JsonValue[],
): JSONSchemaProps | undefined {
  const plain = values.filter(
    (value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
  );
  if (plain.length === values.length && new Set(plain.map((value) => typeof value)).size === 1)
    return enumeration([...new Set(plain)]);
  conversion.refuse(
    part,
    'schema/mixed-union',
    `the values ${JSON.stringify(values)} have no type in common`,
    'use literals of one type',
  );
  return undefined;
}

/** Converts a number or an integer. If the bounds are the limits of a format, the format replaces them. */
export function numberSchema(conversion: Conversion, part: Part, json: JsonSchema): JSONSchemaProps {
  const type = json['type'] === 'integer' ? 'integer' : 'number';
  const schema: JSONSchemaProps = { type, ...bounds(json) };
  const { minimum, maximum } = schema;
  if (typeof json['format'] === 'string') return { ...schema, format: json['format'] };
  if (schema.type === 'number') {
    conversion.warn(
      part,
      'schema/float',
      'the type is a floating point number, which the API conventions discourage',
      'use an integer, such as z.int32(), of a smaller unit (milliseconds, bytes), or a Quantity as a string',
    );
    const format = maximum === float32 ? 'float' : maximum === Number.MAX_VALUE ? 'double' : undefined;
    if (format === undefined || minimum === undefined || maximum !== -minimum) return schema;
    return { ...without(schema, 'minimum', 'maximum'), format };
  }
  const fits32 = (minimum ?? -Infinity) >= int32.least && (maximum ?? Infinity) <= int32.most;
  if (!fits32) {
    if ((maximum ?? Infinity) > Number.MAX_SAFE_INTEGER)
      conversion.warn(
        part,
        'schema/int64-maximum',
        'the type allows integers beyond 2^53-1, which JavaScript cannot represent exactly',
        `add a maximum of ${Number.MAX_SAFE_INTEGER}, or use an integer of 32 bits`,
      );
    return { ...schema, format: 'int64' };
  }
  // Names of the bounds that equal those of the format `int32`, so that the schema need not repeat them.
  const implied = [
    ...(minimum === int32.least && schema.exclusiveMinimum !== true ? (['minimum'] as const) : []),
    ...(maximum === int32.most && schema.exclusiveMaximum !== true ? (['maximum'] as const) : []),
  ];
  return { ...without(schema, ...implied), format: 'int32' };
}

/**
 * Converts bounds. In a CRD, an exclusive bound consists of `minimum` or `maximum` and a separate flag, `exclusiveMinimum` or
 * `exclusiveMaximum`.
 */
function bounds(json: JsonSchema): JSONSchemaProps {
  const schema: JSONSchemaProps = {};
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = json;
  if (typeof minimum === 'number') schema.minimum = minimum;
  if (typeof maximum === 'number') schema.maximum = maximum;
  if (typeof exclusiveMinimum === 'number' && exclusiveMinimum >= (schema.minimum ?? -Infinity)) {
    schema.minimum = exclusiveMinimum;
    schema.exclusiveMinimum = true;
  }
  if (typeof exclusiveMaximum === 'number' && exclusiveMaximum <= (schema.maximum ?? Infinity)) {
    schema.maximum = exclusiveMaximum;
    schema.exclusiveMaximum = true;
  }
  if (typeof multipleOf === 'number') schema.multipleOf = multipleOf;
  return schema;
}

/** Converts a string. Reports a pattern or a format that the API server does not support. */
export function stringSchema(conversion: Conversion, part: Part, json: JsonSchema): JSONSchemaProps {
  const { format, contentEncoding } = json;
  const schema: JSONSchemaProps = { type: 'string', ...texts(conversion, part, json) };
  const hasPattern = json['pattern'] !== undefined;
  if (contentEncoding === 'base64' && !hasPattern) return { ...schema, format: 'byte' };
  if (typeof format !== 'string') return schema;
  // If the string has a pattern, the format is only a name for the meaning of the pattern. The format is then left out, because the API
  // server accepts a list in place of a text that has a format. Date and time formats are kept, because CEL rules read texts with these
  // formats as times.
  const isTime = format === 'date' || format === 'date-time';
  if (hasPattern ? isTime : isKnownFormat(format)) return { ...schema, format };
  if (hasPattern && format !== 'duration') return schema;
  const [message, fix] =
    format === 'duration'
      ? [
          'the API server knows durations such as `1h30m`, not those of ISO 8601',
          "use z.string().meta({ format: 'duration' }) for durations such as `1h30m`",
        ]
      : [
          `the API server does not know the format ${JSON.stringify(format)}`,
          'use a regular expression instead',
        ];
  conversion.refuse(part, 'schema/unknown-format', message, fix);
  return schema;
}

/** Converts the length limits and the pattern of a string. */
function texts(conversion: Conversion, part: Part, json: JsonSchema): JSONSchemaProps {
  const schema: JSONSchemaProps = {};
  const { minLength, maxLength, pattern } = json;
  if (typeof minLength === 'number') schema.minLength = minLength;
  if (typeof maxLength === 'number') schema.maxLength = maxLength;
  if (typeof pattern !== 'string') return schema;
  const read = re2Pattern(pattern);
  if (!('problem' in read)) return { ...schema, ...read };
  conversion.refuse(
    part,
    'schema/pattern',
    `the pattern ${JSON.stringify(pattern.slice(0, 200))} is not a valid regular expression in RE2, the syntax of Go: ${read.problem}`,
    'write a regular expression without look-around inside and without back references',
  );
  return schema;
}

function without(schema: JSONSchemaProps, ...names: readonly (keyof JSONSchemaProps)[]): JSONSchemaProps {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => !names.includes(name as keyof JSONSchemaProps)),
  );
}

/**
 * Keywords that represent a JavaScript regular expression in a schema. RE2 does not support look-ahead, but look-ahead at the start of the
 * expression can be converted to separate patterns.
 */
export type PatternSchema = Pick<JSONSchemaProps, 'pattern' | 'allOf'>;

/**
 * Converts a regular expression to patterns for the API server. For example, `^(?!a)(?=b)c` becomes three patterns: a text must match `^c`
 * and `^b`, and must not match `^a`.
 * @returns the patterns; the problem, if RE2 cannot express the regular expression
 */
export function re2Pattern(source: string): PatternSchema | { readonly problem: string } {
  if (source.length > longestPattern) return { problem: `it has more than ${longestPattern} characters` };
  const { conditions, rest } = leadingLookAheads(source);
  const schema: PatternSchema =
    conditions.length === 0
      ? { pattern: source }
      : {
          pattern: rest,
          allOf: conditions.map(({ isNegative, pattern }) =>
            isNegative ? { not: { pattern } } : { pattern },
          ),
        };
  const patterns = [schema.pattern ?? '', ...conditions.map(({ pattern }) => pattern)];
  const problem = patterns.map(patternProblem).find((each) => each !== undefined);
  return problem === undefined ? schema : { problem };
}

/** Maximum length of a pattern, in characters. A longer pattern takes long to compile, both in op-sdk and in the API server. */
const longestPattern = 10_000;

interface Condition {
  readonly isNegative: boolean;
  readonly pattern: string;
}

function leadingLookAheads(source: string): {
  readonly conditions: readonly Condition[];
  readonly rest: string;
} {
  const none = { conditions: [], rest: source };
  if (!source.startsWith('^')) return none;
  const conditions: Condition[] = [];
  let [position, depth, opened] = [1, 0, 1];
  // Reads the pattern in one pass, because an untrusted pattern may be long.
  for (const { text, index } of tokens(source, 1)) {
    if (depth === 0 && !/^\(\?[!=]/.test(source.slice(index, index + 3))) break;
    if (depth === 0) opened = index;
    if (text === '(') depth += 1;
    if (text !== ')' || (depth -= 1) > 0) continue;
    conditions.push({
      isNegative: source[opened + 2] === '!',
      pattern: `^(?:${source.slice(opened + 3, index)})`,
    });
    position = index + 1;
  }
  if (depth > 0) return none;
  const rest = source.slice(position);
  // In `^(?!a)b|c`, the look-ahead applies to `b` alone, so it cannot become a pattern of its own.
  return hasAlternatives(rest) ? none : { conditions, rest: `^${rest}` };
}

function hasAlternatives(source: string): boolean {
  let depth = 0;
  for (const { text } of tokens(source, 0)) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (text === '|' && depth === 0) return true;
  }
  return false;
}

/**
 * Yields the tokens of a regular expression. An escaped character and a character class are one token each; any other character is a token
 * of its own. An unterminated character class extends to the end of the pattern.
 */
function* tokens(
  source: string,
  start: number,
): Generator<{ readonly text: string; readonly index: number }, void> {
  for (const { 0: text, index } of source.slice(start).matchAll(/\\.|\[(?:\\.|[^\]\\])*(?:\]|$)|./gsu))
    yield { text, index: index + start };
}
