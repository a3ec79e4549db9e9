import type { JSONSchemaProps } from '../json-schema-props.ts';
import { celNames } from '../structural-check/cel-names.ts';
import type { Advice, Lint } from './node.ts';

/** Functions that look at each item of a list or map. Source: the macros of CEL and of `k8s.io/apiserver/pkg/cel/library`. */
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
/** Functions whose costs grow faster than the text that they read. */
const searches = new Set(['contains', 'find', 'findAll', 'format', 'matches', 'replace', 'split']);

/**
 * What makes the estimated costs of a rule huge: a list or map without a maximum around it, for the rule is counted once for each item;
 * one that it loops over; a text without a maximum that it searches. Source: `k8s.io/apiserver/pkg/cel/library/cost.go`.
 */
export const celCostLint: Lint = ({ schema, around }) => {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const names = rules.flatMap(({ rule }) => celNames(rule));
  const members = new Set(names.filter(({ isMember }) => isMember).map(({ name }) => name));
  const parts = [schema, ...mentioned(schema, members)];
  const has = (functions: ReadonlySet<string>): boolean => [...members].some((name) => functions.has(name));
  return [
    ...around.filter(isUnbounded).map((at) => advice(at, 'there is a rule for each of its items')),
    ...(has(loops) ? parts.filter(isUnbounded).map((at) => advice(at, 'a rule loops over it')) : []),
    ...(has(searches) ? parts.filter(isUnboundedText).map((at) => advice(at, 'a rule searches it')) : []),
  ];
};

/** The parts below a schema that its rules can be about: the way to them consists of names that they mention. */
function mentioned(schema: JSONSchemaProps, members: ReadonlySet<string>): readonly JSONSchemaProps[] {
  const { properties, items, additionalProperties } = schema;
  const fields = Object.entries(properties ?? {}).flatMap(([name, field]) =>
    members.has(name) ? [field] : [],
  );
  const inner = [items, additionalProperties].filter((part) => typeof part === 'object');
  return [...fields, ...inner].flatMap((part) => [part, ...mentioned(part, members)]);
}

function isUnbounded(schema: JSONSchemaProps): boolean {
  if (schema.type === 'array') return schema.maxItems === undefined;
  return typeof schema.additionalProperties === 'object' && schema.maxProperties === undefined;
}

function isUnboundedText(schema: JSONSchemaProps): boolean {
  const isBounded = (schema.maxLength ?? schema.enum ?? boundedFormat(schema)) !== undefined;
  return schema.type === 'string' && !isBounded;
}

/** Formats whose texts cannot be long. */
function boundedFormat({ format }: JSONSchemaProps): string | undefined {
  return ['date', 'date-time', 'duration'].includes(format ?? '') ? format : undefined;
}

function advice(at: JSONSchemaProps, why: string): Advice {
  const tag = at.type === 'array' ? '@maxItems' : at.type === 'string' ? '@maxLength' : '@maxProperties';
  const message = `without a maximum, the API server may refuse the CRD: ${why}`;
  return { at, problem: { code: 'schema/unbounded-cel', message, fix: [`add \`${tag}\``] } };
}
