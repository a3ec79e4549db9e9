import { expect, it } from 'vitest';
import { compareCrds, normalizeCrd, normalizeSchema } from '../../../../src/kubernetes/crd/index.ts';
import { crdOf, specOf } from './crd-fixture.ts';

const plain = crdOf(specOf({ type: 'object' }));

it('what is written out though it is the default makes no difference', () => {
  const [version] = plain.spec.versions;
  const verbose = {
    ...plain,
    metadata: {
      ...plain.metadata,
      creationTimestamp: null,
      uid: 'x',
      annotations: { 'controller-gen.kubebuilder.io/version': 'v0.16.1' },
    },
    spec: {
      ...plain.spec,
      preserveUnknownFields: false,
      conversion: { strategy: 'None' },
      names: { ...plain.spec.names, singular: 'sample0', listKind: 'Sample0List', shortNames: null },
      versions: [
        {
          ...version,
          deprecated: false,
          additionalPrinterColumns: null,
          schema: {
            openAPIV3Schema: {
              ...version?.schema.openAPIV3Schema,
              nullable: false,
              description: null,
              'x-vendor': 1,
            },
          },
        },
      ],
    },
    status: { conditions: [] },
  };
  expect(compareCrds(plain, verbose)).toEqual([]);
});

it('everything else does, with its path', () => {
  const schema = specOf({
    type: 'object',
    properties: { 'a.b': { type: 'array', items: { type: 'string' } } },
  });
  const other = specOf({
    type: 'object',
    properties: { 'a.b': { type: 'array', items: { type: 'integer' } } },
  });
  const root = 'spec.versions[0].schema.openAPIV3Schema.properties.spec.properties["a.b"].items.type';
  expect(compareCrds(crdOf(schema), crdOf(other))).toEqual([
    { path: root, left: 'string', right: 'integer' },
  ]);
});

it.each([
  ['required: []', { required: [] }, {}],
  ['an empty description', { description: '' }, {}],
  ['default: null', { default: null }, {}],
  ['properties: {}', { properties: {} }, {}],
  ['the order of an enumeration', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }],
])('%s is not taken for the default', (_name, left, right) => {
  expect(
    compareCrds(crdOf(specOf({ type: 'object', ...left })), crdOf(specOf({ type: 'object', ...right }))),
  ).not.toEqual([]);
});

it('the order of required names means nothing', () => {
  expect(normalizeSchema({ required: ['b', 'a'] })).toEqual({ required: ['a', 'b'] });
});

it('examples and defaults are left as they are', () => {
  const value = { nullable: false, required: ['b', 'a'], unknown: null };
  expect(normalizeSchema({ default: value, example: value })).toEqual({ default: value, example: value });
});

it('gives anything a form, so that it can be compared', () => {
  expect(compareCrds(plain, undefined).length).toBeGreaterThan(0);
  expect(normalizeCrd(null)).toMatchObject({ kind: 'CustomResourceDefinition' });
});
