import type { JSONSchemaProps } from '../../../src/schema/index.ts';

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
  [{ type: 'null' }, 'no type null'],
  [{ type: 'array' }, 'needs items'],
  [{ type: 'array', items: {} }, 'at items'],
  [object({ a: {} }), 'at a'],
  [object({ a: object({ b: {} }) }), 'at a.b'],
  [object({ a: string }, { additionalProperties: string }), 'exclude'],
  [object({ a: string }, { additionalProperties: false }), 'exclude'],
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
  [{ type: 'object', patternProperties: { '^a': string } }, 'no field patternProperties'],
];

/** Schemas that it takes, although a part of them never has an effect. */
export const useless: [JSONSchemaProps, string][] = [
  [{ type: 'string', properties: { a: string } }, 'need the type object'],
  [{ type: 'string', 'x-kubernetes-int-or-string': true }, 'without a type'],
  [object({ a: string }, { required: ['b'] }), 'not declared'],
];
