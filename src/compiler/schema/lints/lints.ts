import {
  type JSONSchemaProps,
  type ValidationRule,
  celNames,
  celTokens,
  type JsonValue,
} from '../../../kubernetes/crd/index.ts';
import { innerNodes, type SchemaNode } from '../schema-node.ts';
import type { Problem } from '../shape.ts';

/** Functions that visit each item of a list or map. Source: the macros of CEL and of `k8s.io/apiserver/pkg/cel/library`. */
const loops = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'filter',
  'indexOf',
  'isSorted',
  'join',
  'lastIndexOf',
  'map',
  'max',
  'min',
  'sum',
  'transformList',
  'transformMap',
  'transformMapEntry',
]);
/** Functions whose cost grows faster than the length of the text on which they are called. */
const searches = new Set(['contains', 'find', 'findAll', 'format', 'matches', 'replace', 'split']);

/**
 * Warns of parts without a maximum that make the estimated cost of a CEL rule huge. These are a list or map around the rule, since the rule
 * is counted once for each item; a list or map over which the rule loops; and a text that the rule searches. Source:
 * `k8s.io/apiserver/pkg/cel/library/cost.go`.
 */
export const celCostLint: Lint = ({ node, around }) => {
  const { schema } = node;
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const names = rules.flatMap(({ rule }) => celNames(rule)).filter(({ isMember }) => isMember);
  const members = new Set(names.filter(({ isCall }) => !isCall).map(({ name }) => name));
  const calls = new Set(names.filter(({ isCall }) => isCall).map(({ name }) => name));
  const parts = [node, ...mentioned(node, members)];
  const has = (functions: ReadonlySet<string>): boolean => [...calls].some((name) => functions.has(name));
  return [
    ...around.filter(isUnbounded).map((at) => advice(at, 'there is a rule for each of its items')),
    ...(has(loops) ? parts.filter(isUnbounded).map((at) => advice(at, 'a rule loops over it')) : []),
    ...(has(searches) ? parts.filter(isUnboundedText).map((at) => advice(at, 'a rule searches it')) : []),
    ...rules.filter(joinsTexts).map(({ messageExpression = '' }) => longMessage(messageExpression)),
  ];
};

/**
 * Returns the parts inside of `around` to which the rules of `around` may refer. A part counts if the rules mention all field names on the
 * path to it.
 * @param members names that the rules mention
 */
function mentioned(around: SchemaNode, members: ReadonlySet<string>): readonly SchemaNode[] {
  return innerNodes(around)
    .filter(({ name }) => name === undefined || members.has(name))
    .flatMap(({ node }) => [node, ...mentioned(node, members)]);
}

function isUnbounded({ schema }: SchemaNode): boolean {
  if (schema.type === 'array') return schema.maxItems === undefined;
  return typeof schema.additionalProperties === 'object' && schema.maxProperties === undefined;
}

function isUnboundedText({ schema }: SchemaNode): boolean {
  const isBounded = (schema.maxLength ?? schema.enum ?? boundedFormat(schema)) !== undefined;
  return schema.type === 'string' && !isBounded;
}

/** Returns the format of a string if texts of this format are always short; otherwise undefined. */
function boundedFormat({ format }: JSONSchemaProps): string | undefined {
  return ['date', 'date-time', 'duration'].includes(format ?? '') ? format : undefined;
}

/**
 * Returns true if a message expression calls `string` and joins texts with `+`. For such an expression the API server estimates an
 * unlimited length, even if `string` converts a number; measured with Kubernetes 1.36.
 */
function joinsTexts({ messageExpression = '' }: ValidationRule): boolean {
  const names = celNames(messageExpression);
  const hasString = names.some(({ name, isMember, isCall }) => name === 'string' && isCall && !isMember);
  return hasString && celTokens(messageExpression).some(({ text }) => text === '+');
}

function longMessage(messageExpression: string): Advice {
  const message = `the API server may refuse the CRD: it cannot bound the length of the text of \`${messageExpression}\``;
  const fix = ["use format: `'min is %d'.format([self.min])`"];
  return { problem: { code: 'schema/unbounded-cel', message, fix } };
}

function advice(at: SchemaNode, why: string): Advice {
  const { type } = at.schema;
  const tag = type === 'array' ? '@maxItems' : type === 'string' ? '@maxLength' : '@maxProperties';
  const message = `the size of this value has no maximum, so the API server may refuse the CRD: ${why}`;
  return { at, problem: { code: 'schema/unbounded-cel', message, fix: [`add \`${tag}\``] } };
}

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
 * Warns of parts that the API server accepts but never applies: keywords of other types, enumeration values of another type, and fields
 * that `oneOf` and similar keywords name but that the schema does not have. Keywords and values of other types can come only from `@k8s`,
 * which accepts anything; the other tags reject them.
 */
export const noEffectLint: Lint = ({ node: { schema } }) =>
  [...nullDefault(schema), ...foreignKeywords(schema), ...foreignValues(schema), ...lostNames(schema)].map(
    (message) => ({
      problem: { code: 'schema/no-effect', message, fix: ['remove it, or correct it'] },
    }),
  );

/**
 * Warns of a default of null. The API server treats it as a missing default, because Go reads null into a nil pointer. Source:
 * apiextensions v1 `JSONSchemaProps.Default`, a pointer.
 */
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

/** Returns all schemas that are inside of `oneOf`, `anyOf`, `allOf` and `not` of a schema, at any depth. */
function junctors({ oneOf = [], anyOf = [], allOf = [], not }: JSONSchemaProps): readonly JSONSchemaProps[] {
  const inner = [...oneOf, ...anyOf, ...allOf, ...(not === undefined ? [] : [not])];
  return inner.flatMap((part) => [part, ...junctors(part)]);
}

const pairs = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Warns of a lower bound that exceeds the corresponding upper bound. */
export const boundsLint: Lint = ({ node: { schema } }) =>
  pairs.flatMap(([least, greatest]) => {
    const [low, high] = [schema[least], schema[greatest]];
    if (low === undefined || high === undefined || low < high) return [];
    const isOpen =
      least === 'minimum' && (schema.exclusiveMinimum === true || schema.exclusiveMaximum === true);
    if (low === high && !isOpen) return [];
    const message =
      low === high
        ? `no value lies between ${least} ${low} and ${greatest} ${high}, one of which is exclusive`
        : `${least} ${low} is greater than ${greatest} ${high}`;
    return [{ problem: { code: 'schema/bounds', message, fix: ['exchange or correct the values'] } }];
  });

/** Last words of field names that denote an amount of time, such as `timeout`. Source: the API conventions of Kubernetes, "Units". */
const amounts = new Set(['timeout', 'interval', 'delay', 'period', 'age', 'ttl', 'duration']);

/**
 * Warns of numbers whose field name denotes an amount of time but does not contain the unit, such as `timeout` instead of `timeoutSeconds`.
 */
export const unitLint: Lint = ({ node: { schema }, name }) => {
  if (name === undefined || (schema.type !== 'integer' && schema.type !== 'number')) return [];
  const word = /[A-Z]?[a-z]+$|[A-Z]+$/.exec(name)?.[0].toLowerCase() ?? '';
  if (!amounts.has(word)) return [];
  const message = `the name \`${name}\` does not say the unit of the number`;
  const fix = [`name it ${name}Seconds, or whatever the unit is`, "or make it a Duration from 'opsdk'"];
  return [{ problem: { code: 'schema/unit', message, fix } }];
};

/** Warns of required fields that the schema does not define, because the API server drops them. */
export const requiredLint: Lint = ({ node: { schema } }) => {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties !== undefined)
    return [];
  return required
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => {
      const message = `the field ${JSON.stringify(name)} is required, but the schema does not declare it, so the API server drops it`;
      const fix = ['declare the field', 'or keep unknown fields: `@preserveUnknownFields`'];
      return { problem: { code: 'schema/required-undeclared', message, fix } };
    });
};

/**
 * Matches patterns with delimiters, such as `/^a$/`, `/^a$/i` and `"^a$"`. The API server treats the delimiters as characters that the text
 * must contain.
 */
const delimited = /^([/"'`])(\^.*\$)\1([a-z]*)$/s;

/**
 * Warns of patterns with delimiters, as JavaScript writes them. The API server accepts such a pattern in the CRD, but then refuses every
 * value of the field.
 */
export const patternLint: Lint = ({ node: { schema } }) => {
  const [, delimiter, inner, flags = ''] = delimited.exec(schema.pattern ?? '') ?? [];
  if (delimiter === undefined || inner === undefined) return [];
  const message = `the pattern matches no text: the API server takes the \`${delimiter}\` around it as part of the text`;
  return [
    {
      problem: {
        code: 'schema/pattern-delimiters',
        message,
        fix: [`write \`@pattern ${re2Flags(flags)}${inner}\``],
      },
    },
  ];
};

/** Converts the flags of a JavaScript regular expression to the syntax of RE2. Flags that RE2 does not support are dropped. */
function re2Flags(flags: string): string {
  const known = flags.replace(/[^ims]/g, '');
  return known === '' ? '' : `(?${known})`;
}

/**
 * Warns of maps whose values are objects with fields. Source: the API conventions of Kubernetes, "Lists of named subobjects preferred over
 * maps".
 */
export const mapLint: Lint = ({ node: { schema } }) => {
  const { additionalProperties: values } = schema;
  const hasFields = typeof values === 'object' && Object.keys(values.properties ?? {}).length > 0;
  if (!hasFields) return [];
  const message = 'the type is a map of objects, but the API conventions ask for a list of named objects';
  const fix = ["make it ListMap<T, 'name'> with the field `name: string` in T"];
  return [{ problem: { code: 'schema/map-of-objects', message, fix } }];
};

/** A part of a schema that the lints check. The user wrote this part. */
export interface LintNode {
  readonly node: SchemaNode;
  /** Name of the field; undefined for the root, for items of lists and for values of records. */
  readonly name: string | undefined;
  /** The parts around this part; the root is first. */
  readonly around: readonly SchemaNode[];
}

/** Advice about a part. The message is phrased to follow the label of the part. */
interface Advice {
  /** Part to which the advice applies. Default: the part that was checked. */
  readonly at?: SchemaNode;
  readonly problem: Problem;
}

/** Checks one part of a schema, and returns advice about it. */
type Lint = (node: LintNode) => readonly Advice[];
