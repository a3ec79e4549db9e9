import { expect, test } from 'vitest';
import { breakingChanges } from '../../../../src/cli/actions/dev/dev-loop.ts';
import type { PlacedObject } from '../../../../src/kubernetes/yaml/index.ts';

function crd(properties: Record<string, unknown>, name = 'sites'): readonly PlacedObject[] {
  const spec = { type: 'object', properties };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return [
    {
      where: { file: 'crd.yaml' },
      object: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${name}.example.com` },
        spec: {
          group: 'example.com',
          names: { kind: 'Site', listKind: 'SiteList', plural: name, singular: 'site' },
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      },
    },
  ];
}

const integer = { type: 'integer' };

test('a field with another name is said to break users and stored objects', () => {
  const text = breakingChanges(crd({ size: integer }), crd({ replicas: integer }));
  expect(text).toContain(
    'breaking for users and stored objects, once released: sites.example.com v1 .spec.size',
  );
  expect(text).toContain('op-sdk crd diff git:HEAD project');
});

test('many changes are counted', () => {
  const fields = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, integer]));
  expect(breakingChanges(crd(fields), crd({}))).toContain(', and 2 more');
});

test('nothing is said of new fields, of the first definitions, and of those that are as they were', () => {
  expect(breakingChanges(crd({ size: integer }), crd({ size: integer, more: integer }))).toBeUndefined();
  expect(breakingChanges([], crd({ size: integer }))).toBeUndefined();
  expect(breakingChanges(crd({ size: integer }), crd({ size: integer }))).toBeUndefined();
});
