// What the owned kinds of a bundle are described by: the base, the sources, the CustomResourceDefinition, in this order.
import { expect, test } from 'vitest';
import type { KindDescription } from '../../../../src/compiler/manifests/index.ts';
import { codes, bundleOf, edited, refusals, specOf, warningsOf, type Loose } from './objects.ts';

const described: KindDescription = {
  name: 'nginxoperators.operator.example.com',
  kind: 'NginxOperator',
  version: 'v1alpha1',
  displayName: 'From the sources',
  resources: [
    { kind: 'Deployment', name: '', version: 'v1' },
    { kind: 'Certificate', name: 'certificates.cert-manager.io', version: 'v1' },
  ],
  specDescriptors: [
    { path: 'replicas', displayName: 'Replicas', description: 'How many.' },
    { path: 'port', displayName: 'Port', 'x-descriptors': ['urn:alm:descriptor:com.tectonic.ui:number'] },
  ],
  statusDescriptors: [{ path: 'conditions', displayName: 'Conditions' }],
};

/** The objects of the tutorial, with this in the entry of the base. */
const withEntry = (entry: Loose) =>
  edited('nginx-operator', (_objects, find) => {
    const [own] = find('ClusterServiceVersion').spec.customresourcedefinitions.owned;
    const { properties } = find('CustomResourceDefinition').spec.versions[0].schema.openAPIV3Schema;
    properties.spec.properties.port = { type: 'integer' };
    properties.status = { type: 'object', properties: { conditions: { type: 'array' } } };
    delete own.displayName;
    delete own.description;
    Object.assign(own, entry);
  });
const ownedBy = (entry: Loose, input = {}): Loose =>
  specOf(withEntry(entry), input).customresourcedefinitions.owned[0];

test('what the sources say goes before what follows from the CustomResourceDefinition', () => {
  const owned = ownedBy({}, { described: [described] });
  const { resources, specDescriptors, statusDescriptors } = described;
  expect(owned).toMatchObject({
    displayName: 'From the sources',
    resources,
    specDescriptors,
    statusDescriptors,
  });
  expect(owned.description).toBe(ownedBy({}).description);
  expect(owned.description).not.toBeUndefined();
});

test('without sources an entry has the name of the kind, and no lists', () => {
  expect(Object.keys(ownedBy({})).sort()).toEqual(['description', 'displayName', 'kind', 'name', 'version']);
  expect(ownedBy({}).displayName).toBe('Nginx Operator');
  expect(ownedBy({}, { described: [{ ...described, version: 'v2' }] })).toEqual(ownedBy({}));
});

test('the base wins, descriptor by descriptor and field by field, and keeps its order', () => {
  const owned = ownedBy(
    {
      displayName: 'Ours',
      description: 'By hand.',
      resources: [
        { kind: 'Pod', version: 'v1' },
        { kind: 'Deployment', version: 'v1', name: 'the-deployment' },
      ],
      specDescriptors: [
        { path: 'port', description: 'By hand.' },
        { path: 'deeper.field', displayName: 'Only here' },
      ],
    },
    { described: [described] },
  );
  expect(owned).toMatchObject({ displayName: 'Ours', description: 'By hand.' });
  expect(owned.resources).toEqual([
    { kind: 'Pod', version: 'v1' },
    { kind: 'Deployment', version: 'v1', name: 'the-deployment' },
    described.resources[1],
  ]);
  expect(owned.specDescriptors).toEqual([
    { ...described.specDescriptors[1], description: 'By hand.' },
    { path: 'deeper.field', displayName: 'Only here' },
    described.specDescriptors[0],
  ]);
  expect(owned.statusDescriptors).toEqual(described.statusDescriptors);
});

test('two kinds of one name are two resources', () => {
  const resources = [{ kind: 'Certificate', version: 'v1', name: 'certificates.other.example.com' }];
  expect(ownedBy({ resources }, { described: [described] }).resources).toEqual([
    ...resources,
    ...described.resources,
  ]);
});

test('a field that the CustomResourceDefinition does not have is left out with a warning', () => {
  const stale = {
    ...described,
    specDescriptors: [
      ...described.specDescriptors,
      { path: 'port[0].name', displayName: 'Name' },
      { path: 'gone', displayName: 'Gone' },
    ],
  };
  expect(ownedBy({}, { described: [stale] }).specDescriptors).toEqual(described.specDescriptors);
  expect(
    warningsOf(withEntry({}), { described: [stale] }).filter((text) => text.includes('descriptor')),
  ).toEqual([
    'bundle/crd-differs: apiextensions.k8s.io/v1 CustomResourceDefinition nginxoperators.operator.example.com: the schema of v1alpha1 has no field spec.port[0].name, which the TypeScript sources declare; its descriptor is left out',
    'bundle/crd-differs: apiextensions.k8s.io/v1 CustomResourceDefinition nginxoperators.operator.example.com: the schema of v1alpha1 has no field spec.gone, which the TypeScript sources declare; its descriptor is left out',
  ]);
});

test('lists of another type are refused', () => {
  expect(codes(refusals(withEntry({ specDescriptors: 'all' })))).toEqual(['bundle/invalid-object']);
  expect(() => bundleOf(withEntry({ specDescriptors: [] }))).not.toThrow();
});
