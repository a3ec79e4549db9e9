import { expect, test } from 'vitest';
import type { JSONSchemaProps } from '../../../src/schema/index.ts';
import { crdSchemaFields, refusedSchemaFields } from '../../../src/schema/json-schema-props.ts';
import { structuralProblems } from '../../../src/schema/structural-rules.ts';

const string: JSONSchemaProps = { type: 'string' };
const object = (
  properties: Record<string, JSONSchemaProps>,
  more: JSONSchemaProps = {},
): JSONSchemaProps => ({
  type: 'object',
  properties,
  ...more,
});

test('every field of JSONSchemaProps is known', () => {
  expect(new Set([...crdSchemaFields, ...refusedSchemaFields]).size).toBe(44);
});

test.each([
  string,
  { 'x-kubernetes-preserve-unknown-fields': true },
  { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  object({ a: string }, { required: ['a'], additionalProperties: true }),
  object({ a: string }, { anyOf: [{ required: ['a'] }] }),
  {
    type: 'array',
    items: object({ k: string }, { required: ['k'] }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  },
  { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
] satisfies JSONSchemaProps[])('%j is structural', (schema) => {
  expect(structuralProblems(schema)).toEqual([]);
});

test.each([
  [{}, 'type is missing'],
  [{ enum: ['a'] }, 'type is missing'],
  [{ type: 'null' }, 'no type null'],
  [{ type: 'array' }, 'needs items'],
  [{ type: 'array', items: {} }, 'at items'],
  [{ type: 'string', 'x-kubernetes-int-or-string': true }, 'without a type'],
  [object({ a: {} }), 'at a'],
  [object({ a: object({ b: {} }) }), 'at a.b'],
  [object({ a: string }, { additionalProperties: string }), 'exclude'],
  [object({ a: string }, { additionalProperties: false }), 'exclude'],
  [object({ a: string }, { required: ['b'] }), 'not declared'],
  [{ type: 'string', properties: {} }, 'need the type object'],
  [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }, 'true or absent'],
  [{ type: 'string', 'x-kubernetes-map-type': 'atomic' }, 'on an object'],
  [{ type: 'object', 'x-kubernetes-map-type': 'set' }, 'granular or atomic'],
  [{ type: 'object', 'x-kubernetes-embedded-resource': true }, 'properties or'],
  [{ type: 'string', 'x-kubernetes-list-type': 'set' }, 'type array'],
  [{ type: 'array', items: string, 'x-kubernetes-list-type': 'bag' }, 'map, set or atomic'],
  [
    { type: 'array', items: string, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    'objects',
  ],
  [
    {
      type: 'array',
      items: object({ k: string }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    'optional',
  ],
  [{ type: 'array', items: string, 'x-kubernetes-list-map-keys': ['k'] }, 'list type map'],
  [{ type: 'string', pattern: '(?=a)' }, 'RE2'],
  [{ type: 'string', default: 1 }, 'does not fit'],
  [{ type: 'string', anyOf: [{ type: 'string' }] }, 'cannot stand inside'],
  [{ type: 'string', not: { 'x-kubernetes-int-or-string': true } }, 'cannot stand inside'],
  [{ type: 'object', patternProperties: {} }, 'no field patternProperties'],
] as [JSONSchemaProps, string][])('%j is not', (schema, part) => {
  expect(structuralProblems(schema).join('\n')).toContain(part);
});
