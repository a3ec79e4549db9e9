import { expect, test } from 'vitest';
import {
  atomicReferences,
  isKubernetesReference,
} from '../../../../../src/kubernetes/crd/diff/rules/lists-and-maps.ts';
import { tableSchema } from '../../../../../src/kubernetes/tables/index.ts';

test.each(Object.entries(atomicReferences))('%s is one value for Kubernetes itself', (name, fields) => {
  const schema = tableSchema(name);
  expect(schema?.['x-kubernetes-map-type']).toBe('atomic');
  const types = Object.entries(schema?.properties ?? {}).map(([field, { type = 'int-or-string' }]) => [
    field,
    type,
  ]);
  expect(Object.fromEntries(types)).toEqual(fields);
});

const reference = {
  type: 'object',
  properties: { name: { type: 'string' }, namespace: { type: 'string' } },
};

test('what has its fields is a reference', () => {
  expect(isKubernetesReference(reference)).toBe(true);
});

test.each([
  ['one of its fields', { properties: { namespace: { type: 'string' } } }],
  ['a field more', { properties: { ...reference.properties, note: { type: 'string' } } }],
  ['an object as a name', { properties: { ...reference.properties, name: { type: 'object' } } }],
  ['a name of any type', { properties: { ...reference.properties, name: {} } }],
  ['unknown fields', { 'x-kubernetes-preserve-unknown-fields': true }],
  ['other keys', { additionalProperties: { type: 'string' } }],
  ['all fields of a resource', { 'x-kubernetes-embedded-resource': true }],
  [
    'a selector of labels',
    {
      properties: {
        matchExpressions: { type: 'array', items: { type: 'object' } },
        matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  ],
])('what has %s is none', (_, more) => {
  expect(isKubernetesReference({ ...reference, ...more })).toBe(false);
});
