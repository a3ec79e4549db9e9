import { describe, expect, test } from 'vitest';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import { schemaNode } from '../../../helpers/schema-nodes.ts';
import { celCostLint, unitLint } from '../../../../src/compiler/schema/lints/lints.ts';

describe('costs of rules', () => {
  const text: JSONSchemaProps = { type: 'string' };
  const list = (items: JSONSchemaProps, more: JSONSchemaProps = {}): JSONSchemaProps => ({
    type: 'array',
    items,
    ...more,
  });
  const withRule = (schema: JSONSchemaProps, rule: string): JSONSchemaProps => ({
    ...schema,
    'x-kubernetes-validations': [{ rule }],
  });
  const object = (properties: Record<string, JSONSchemaProps>): JSONSchemaProps => ({
    type: 'object',
    properties,
  });

  /** The parts that are complained about. */
  const blamed = (schema: JSONSchemaProps, around: readonly JSONSchemaProps[] = []) =>
    celCostLint({
      node: schemaNode(schema),
      name: undefined,
      around: around.map((part) => schemaNode(part)),
    }).map(({ at }) => at?.schema);

  test('a loop over a list without a maximum, and over those in it', () => {
    const names = list(text);
    const known = list(text);
    const other = list(text);
    const schema = withRule(object({ names, known, other }), 'self.names.all(x, x in self.known)');
    expect(blamed(schema)).toEqual([names, known]);
  });

  test('every list and map around a rule counts its items', () => {
    const rule = withRule(text, "self != ''");
    const inner = list(rule, { maxItems: 3 });
    const outer: JSONSchemaProps = { type: 'object', additionalProperties: inner };
    expect(blamed(rule, [outer, inner])).toEqual([outer]);
  });

  test('a search in a text without a maximum', () => {
    expect(blamed(withRule(text, "self.matches('a')"))).toHaveLength(1);
    expect(blamed(withRule({ ...text, maxLength: 5 }, "self.matches('a')"))).toEqual([]);
    expect(blamed(withRule({ ...text, enum: ['a'] }, "self.matches('a')"))).toEqual([]);
  });

  test('a message of texts and numbers', () => {
    const rule = { rule: 'self.a > 1', messageExpression: "'a is ' + string(self.a)" };
    const schema = { ...object({ a: { type: 'integer' } }), 'x-kubernetes-validations': [rule] };
    expect(blamed(schema)).toEqual([undefined]);
    const formatted = { ...rule, messageExpression: "'a is %d'.format([self.a])" };
    expect(blamed({ ...schema, 'x-kubernetes-validations': [formatted] })).toEqual([]);
  });

  test.each([
    "self.a == 'all'",
    'self.min < self.max',
    'self.list.size() < 5',
    "self.a.startsWith('matches(')",
    'has(self.list)',
  ])('%s costs little', (rule) => {
    expect(blamed(withRule(object({ a: text, list: list(text) }), rule))).toEqual([]);
  });
});

test.each([
  ['timeout', true],
  ['connectTimeout', true],
  ['cacheTTL', true],
  ['TTL', true],
  ['age', true],
  ['usage', false],
  ['percentage', false],
  ['timeoutSeconds', false],
  ['timeouts', false],
  ['ttlSecondsAfterFinished', false],
])('%s: %s', (name, hasNoUnit) => {
  expect(unitLint({ node: schemaNode({ type: 'integer' }), name, around: [] })).toHaveLength(
    hasNoUnit ? 1 : 0,
  );
  expect(unitLint({ node: schemaNode({ type: 'string' }), name, around: [] })).toEqual([]);
});
