import type { JSONSchemaProps, JsonValue } from '../../../../src/compiler/schema/index.ts';

const string: JSONSchemaProps = { type: 'string' };
const record: JSONSchemaProps = { type: 'object', additionalProperties: string };
const choice: JSONSchemaProps = {
  type: 'object',
  properties: { a: string, b: string },
  oneOf: [{ required: ['a'] }, { required: ['b'] }],
};
const resource: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const pod = { apiVersion: 'v1', kind: 'Pod' };

/** Schemas, and whether a value can be their default: test/control-plane/compiler/schema asks an API server about the same ones. */
export const defaultCases: readonly (readonly [schema: JSONSchemaProps, value: JsonValue, fits: boolean])[] =
  [
    [{ ...string, not: { enum: ['a'] } }, 'a', false],
    [{ ...string, not: { enum: ['a'] } }, 'b', true],
    [{ ...string, anyOf: [{ enum: ['b'] }, { minLength: 3 }] }, 'a', false],
    [{ ...string, anyOf: [{ enum: ['b'] }, { minLength: 3 }] }, 'b', true],
    [{ ...string, oneOf: [{ enum: ['a'] }, { maxLength: 3 }] }, 'a', false],
    [{ ...string, oneOf: [{ enum: ['a'] }, { maxLength: 3 }] }, 'b', true],
    [{ ...string, allOf: [{ pattern: '^b' }, { maxLength: 3 }] }, 'a', false],
    [{ ...string, allOf: [{ pattern: '^b' }, { maxLength: 3 }] }, 'bcd', true],
    [{ ...string, allOf: [{ not: { anyOf: [{ enum: ['a'] }, { enum: ['b'] }] } }] }, 'b', false],
    [{ ...string, nullable: true, not: { enum: ['a'] } }, null, true],
    [{ ...string, enum: [] }, 'a', true],
    [{ ...string, enum: ['b'] }, 'a', false],
    [{ ...record, enum: [{ a: 'x' }] }, { a: 'x' }, true],
    [{ ...record, enum: [{ a: 'x' }] }, { a: 'y' }, false],
    [choice, {}, false],
    [choice, { a: 'x' }, true],
    [choice, { a: 'x', b: 'x' }, false],
    [{ ...record, not: { required: ['a'] } }, { a: 'x' }, false],
    [{ ...record, not: { required: ['a'] } }, { b: 'x' }, true],
    [{ ...record, anyOf: [{ properties: { a: { enum: ['x'] } } }] }, { a: 'y' }, false],
    [{ ...record, anyOf: [{ properties: { a: { enum: ['x'] } } }] }, { b: 'y' }, true],
    [{ ...record, allOf: [{ minProperties: 1 }] }, {}, false],
    [{ ...record, allOf: [{ additionalProperties: false }] }, { a: 'x' }, true],
    [{ ...record, allOf: [{ additionalProperties: false }] }, {}, true],
    [{ type: 'array', items: string, not: { minItems: 2 } }, ['a', 'b'], false],
    [{ type: 'array', items: string, allOf: [{ items: { enum: ['a'] } }] }, ['b'], false],
    [{ type: 'array', items: string, allOf: [{ items: { enum: ['a'] } }] }, ['a'], true],
    [{ type: 'array', items: choice }, [{ a: 'x' }, {}], false],
    [{ ...string, format: 'date-time' }, 'tomorrow', false],
    [{ ...string, format: 'date-time' }, '2026-01-02T15:04:05Z', true],
    [{ ...string, format: 'of-our-own' }, 'anything', true],
    [{ type: 'object', additionalProperties: { ...string, format: 'ipv4' } }, { a: '1.2.3' }, false],
    [resource, {}, false],
    [resource, pod, true],
    [resource, { ...pod, spec: { containers: [] } }, true],
    [resource, { ...pod, metadata: { labels: { a: 'b' } } }, true],
    [resource, { ...pod, metadata: { labels: { a: 1 } } }, false],
    [resource, { ...pod, metadata: 'x' }, false],
    [resource, { ...pod, kind: 1 }, false],
    [resource, { ...pod, kind: 'a_b' }, false],
    [resource, { ...pod, apiVersion: '' }, false],
    [resource, { ...pod, apiVersion: 'a/b/c' }, false],
    [
      { type: 'object', properties: { pod: { ...resource, properties: { spec: record } } } },
      { pod: { spec: {} } },
      false,
    ],
    [
      { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: record } },
      { ...pod, metadata: { name: 'x' }, spec: { a: 'b' } },
      true,
    ],
    [
      { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: record } },
      { ...pod, other: {} },
      false,
    ],
    [
      { type: 'object', additionalProperties: false, 'x-kubernetes-preserve-unknown-fields': true },
      { a: 'x' },
      false,
    ],
    [{ type: 'object', properties: { a: { ...string, default: 'x' } }, required: ['a'] }, {}, false],
  ];
