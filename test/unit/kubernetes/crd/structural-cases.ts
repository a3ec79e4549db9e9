import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';

const string: JSONSchemaProps = { type: 'string' };
const object = (
  properties: Record<string, JSONSchemaProps>,
  more: JSONSchemaProps = {},
): JSONSchemaProps => ({
  type: 'object',
  properties,
  ...more,
});

/** Schemas that the API server takes in a CRD. */
export const structural: JSONSchemaProps[] = [
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
];

/** Schemas that it does not take, with a part of what we say. */
export const notStructural: [JSONSchemaProps, string][] = [
  [{}, 'type is missing'],
  [{ enum: ['a'] }, 'type is missing'],
  [{ type: 'null' }, 'unknown type null'],
  [{ type: 'array' }, 'needs items'],
  [{ type: 'array', items: {} }, 'at items'],
  [object({ a: {} }), 'at properties.a'],
  [object({ a: object({ b: {} }) }), 'at properties.a.properties.b'],
  [object({ a: string }, { additionalProperties: string }), 'exclude'],
  [object({ a: string }, { additionalProperties: false }), 'exclude'],
  [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }, 'true or absent'],
  [{ type: 'string', 'x-kubernetes-map-type': 'atomic' }, 'is set, but the type is not object'],
  [{ type: 'object', 'x-kubernetes-map-type': 'set' }, 'atomic or granular'],
  [{ type: 'object', 'x-kubernetes-embedded-resource': true }, 'needs properties'],
  [{ type: 'string', 'x-kubernetes-list-type': 'set' }, 'is set, but the type is not array'],
  [{ type: 'array', items: string, 'x-kubernetes-list-type': 'bag' }, 'atomic, set or map'],
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
    'must be required',
  ],
  [
    { type: 'array', items: string, 'x-kubernetes-list-map-keys': ['k'] },
    'x-kubernetes-list-type is not map',
  ],
  [{ type: 'string', pattern: '(?=a)' }, 'RE2'],
  [{ type: 'string', default: 1 }, 'does not fit'],
  [{ type: 'string', anyOf: [{ type: 'string' }] }, 'is not allowed inside'],
  [{ type: 'string', not: { 'x-kubernetes-int-or-string': true } }, 'is not allowed inside'],
  [{ type: 'object', patternProperties: { '^a': string } }, 'patternProperties is not supported'],
  [{ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', fieldPath: '.x' }] }, 'fieldPath'],
  [
    { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', optionalOldSelf: false }] },
    'optionalOldSelf',
  ],
  [
    { type: 'array', items: { ...string, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] } },
    'oldSelf',
  ],
];

/** Schemas that it takes, although a part of them never has an effect. */
export const useless: JSONSchemaProps[] = [
  { type: 'string', properties: { a: string } },
  { type: 'string', 'x-kubernetes-int-or-string': true },
  object({ a: string }, { required: ['b'] }),
  { type: 'string', items: string },
  { type: 'string', enum: [] },
  { type: 'object', required: [], properties: {} },
  { type: 'string', uniqueItems: false },
  { type: 'integer', minimum: 2, maximum: 1, minLength: 3 },
];
