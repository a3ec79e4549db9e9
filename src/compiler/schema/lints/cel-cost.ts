import type { JSONSchemaProps, ValidationRule } from '../../../kubernetes/crd/json-schema-props.ts';
import { celNames } from '../../../kubernetes/crd/cel/cel-names.ts';
import { celTokens } from '../../../kubernetes/crd/cel/cel-tokens.ts';
import { innerNodes, type SchemaNode } from '../schema-node.ts';
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
 * Warns of parts that make the estimated costs of a rule huge: a list or map without a maximum around it, for the rule is counted once for each item;
 * one that it loops over; a text without a maximum that it searches. Source: `k8s.io/apiserver/pkg/cel/library/cost.go`.
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

/** The parts below one that its rules can be about: the way to them consists of names that they mention. */
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

/** Formats whose texts cannot be long. */
function boundedFormat({ format }: JSONSchemaProps): string | undefined {
  return ['date', 'date-time', 'duration'].includes(format ?? '') ? format : undefined;
}

/** The text that `string` makes of a number counts as endless when it is joined to another one; measured with Kubernetes 1.36. */
function joinsTexts({ messageExpression = '' }: ValidationRule): boolean {
  const names = celNames(messageExpression);
  const hasString = names.some(({ name, isMember, isCall }) => name === 'string' && isCall && !isMember);
  return hasString && celTokens(messageExpression).some(({ text }) => text === '+');
}

function longMessage(messageExpression: string): Advice {
  const message = `the API server may refuse the CRD: it takes the text of \`${messageExpression}\` for endless`;
  const fix = ["use format: `'min is %d'.format([self.min])`"];
  return { problem: { code: 'schema/unbounded-cel', message, fix } };
}

function advice(at: SchemaNode, why: string): Advice {
  const { type } = at.schema;
  const tag = type === 'array' ? '@maxItems' : type === 'string' ? '@maxLength' : '@maxProperties';
  const message = `without a maximum, the API server may refuse the CRD: ${why}`;
  return { at, problem: { code: 'schema/unbounded-cel', message, fix: [`add \`${tag}\``] } };
}
