import { closestName } from '../../../base/util/terminal-words.ts';
import type { JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import { defaultMisfit, misfit, patternProblem } from '../../../kubernetes/objects/index.ts';
import { shapeRules, type TagRule } from './shape-rules.ts';
import type { SchemaTag } from './tag-names.ts';
import { coerce, parseJson, parseNumber } from './values.ts';

const intOrString = (schema: JSONSchemaProps): boolean => schema['x-kubernetes-int-or-string'] === true;
const numeric = (schema: JSONSchemaProps): boolean =>
  schema.type === 'integer' ||
  schema.type === 'number' ||
  (intOrString(schema) && schema.pattern === undefined);
const text = (schema: JSONSchemaProps): boolean =>
  schema.type === 'string' || (intOrString(schema) && schema.pattern === undefined);
const list = (schema: JSONSchemaProps): boolean => schema.type === 'array';
const object = (schema: JSONSchemaProps): boolean => schema.type === 'object';
const anything = (): boolean => true;

type NumberKey =
  | 'minimum'
  | 'maximum'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties';

function bound(key: 'minimum' | 'maximum', exclusive: boolean): TagRule {
  return {
    needs: 'a number',
    fits: numeric,
    apply: (schema, value) => {
      const number = parseNumber(value);
      if (number === undefined) return 'expects a number';
      const { least, greatest } = boundRange(schema);
      if (schema.type === 'integer' && (!Number.isInteger(number) || number < least || number > greatest)) {
        return schema.format === 'int32'
          ? `expects an integer between ${least} and ${greatest}`
          : 'expects an integer of at most 64 bits';
      }
      if (exclusive && schema[key] !== undefined) return `cannot be used together with @${key}`;
      schema[key] = number;
      if (exclusive) schema[key === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'] = true;
      return undefined;
    },
  };
}

function count(key: NumberKey, needs: string, fits: (schema: JSONSchemaProps) => boolean): TagRule {
  return {
    needs,
    fits,
    apply: (schema, value) => {
      const number = parseNumber(value);
      if (number === undefined || !Number.isSafeInteger(number) || number < 0)
        return 'expects a whole number, 0 or more';
      schema[key] = number;
      return undefined;
    },
  };
}

/** Formats of strings that the API server checks. It ignores all other formats. Source: apiextensions `formats.go` (Kubernetes 1.36). */
const stringFormats =
  'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte password date duration date-time k8s-short-name k8s-long-name'.split(
    ' ',
  );
const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

function nameOf({ type }: JSONSchemaProps): string {
  return type === undefined ? 'an IntOrString' : type === 'integer' ? 'an integer' : `a ${type}`;
}

const format: TagRule = {
  needs: 'a string or a number',
  fits: (schema) =>
    schema.type === 'string' || schema.type === 'integer' || schema.type === 'number' || intOrString(schema),
  apply: (schema, value) => {
    const allowed = intOrString(schema)
      ? ['int-or-string']
      : (numberFormats[schema.type ?? ''] ?? stringFormats);
    if (!allowed.includes(value)) {
      const meant = closestName(value, allowed);
      const hint = meant === undefined ? `; it knows ${allowed.join(', ')}` : `; did you mean ${meant}?`;
      return `has the format ${JSON.stringify(value)}, which the API server does not know for ${nameOf(schema)}${hint}`;
    }
    if (schema.format !== undefined && schema.format !== value)
      return `contradicts the type, which already has the format ${schema.format}`;
    schema.format = value;
    return undefined;
  },
};

// Message for a value of several lines. The text of a tag extends to the next tag, so a description below the tag would become a part of
// the value.
const severalLines = 'takes one line; put the description above the tags';

const pattern: TagRule = {
  needs: 'a string',
  fits: text,
  code: 'schema/pattern',
  apply: (schema, value) => {
    if (value === '') return 'expects a regular expression';
    if (value.includes('\n')) return `${severalLines}; a line break in the expression is \\n`;
    const problem = patternProblem(value);
    if (problem !== undefined) return `is not RE2: ${problem}`;
    schema.pattern = value;
    return undefined;
  },
};

const defaultValue: TagRule = {
  needs: 'a value',
  fits: anything,
  code: 'schema/default-value',
  apply: (schema, value) => {
    const parsed = coerce(schema, value);
    if ('problem' in parsed) return parsed.problem;
    // Reports a default of null, because Go reads it as a missing default. Source: apiextensions v1 `JSONSchemaProps.Default`, a pointer.
    if (parsed.value === null)
      return 'null has no effect: the API server treats a default of null as a missing default';
    const problem = defaultMisfit(schema, parsed.value);
    if (problem === undefined) schema.default = parsed.value;
    return problem;
  },
};

/**
 * Rule of `@example`. Only a JSON text is written into the schema, because any other text after `@example` is documentation; see
 * `isForPeople`.
 */
const example: TagRule = {
  needs: 'a value',
  fits: anything,
  code: 'schema/example',
  fix: ['write a value of the type in JSON, a text in double quotes', 'or put it into a code block'],
  isAdvice: true,
  apply: (schema, value) => {
    const parsed = parseJson(value);
    if ('problem' in parsed) return parsed.problem;
    const problem = misfit(schema, parsed.value);
    if (problem !== undefined) return `has a value that does not fit the schema: ${problem}`;
    schema.example = parsed.value;
    return undefined;
  },
};

/**
 * Rules of the tags with one value, in the order in which the tags are applied. `@default` comes after the tags against which its value is
 * checked.
 */
export const tagRules: ReadonlyMap<SchemaTag, TagRule> = new Map<SchemaTag, TagRule>([
  [
    'nullable',
    {
      needs: 'anything',
      fits: anything,
      apply: (schema, value) => {
        if (value !== '') return 'takes no value';
        schema.nullable = true;
        return undefined;
      },
    },
  ],
  ['format', format],
  ['minimum', bound('minimum', false)],
  ['maximum', bound('maximum', false)],
  ['exclusiveMinimum', bound('minimum', true)],
  ['exclusiveMaximum', bound('maximum', true)],
  [
    'multipleOf',
    {
      needs: 'a number',
      fits: numeric,
      apply: (schema, value) => {
        const number = parseNumber(value);
        if (number === undefined || number <= 0) return 'expects a number greater than 0';
        if (schema.type === 'integer' && !Number.isInteger(number)) return 'expects an integer';
        schema.multipleOf = number;
        return undefined;
      },
    },
  ],
  ['minLength', count('minLength', 'a string', text)],
  ['maxLength', count('maxLength', 'a string', text)],
  ['pattern', pattern],
  ['minItems', count('minItems', 'a list', list)],
  ['maxItems', count('maxItems', 'a list', list)],
  ['minProperties', count('minProperties', 'an object', object)],
  ['maxProperties', count('maxProperties', 'an object', object)],
  ...shapeRules,
  [
    'title',
    {
      needs: 'anything',
      fits: anything,
      apply: (schema, value) => {
        if (value === '') return 'expects a text';
        if (value.includes('\n')) return severalLines;
        schema.title = value;
        return undefined;
      },
    },
  ],
  ['default', defaultValue],
  ['example', example],
]);

/**
 * Returns the smallest and the greatest number that the bounds of an integer may have. For 64-bit integers, this range is limited by the
 * precision of a double, because Kubernetes reads bounds as doubles.
 */
function boundRange(schema: JSONSchemaProps): { readonly least: number; readonly greatest: number } {
  return schema.format === 'int32'
    ? { least: -(2 ** 31), greatest: 2 ** 31 - 1 }
    : { least: -(2 ** 63), greatest: 2 ** 63 };
}
