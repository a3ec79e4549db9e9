import { expect, test } from 'vitest';
import { externalResource } from '../../../src/sdk/api/index.ts';
import { impactFinding } from '../../../src/cluster/index.ts';
import type { ClusterObject } from '../../../src/cluster/objects/cluster-object.ts';

const namespace: ClusterObject = {
  object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } },
  where: { file: 'all.yaml', line: 3 },
  resource: externalResource({
    group: '',
    version: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    scope: 'Cluster',
  }),
  key: { name: 'shared' },
  served: true,
  title: 'namespace/shared',
};
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `configmap/c${index}`);

test('a long list of objects is bounded and counted', () => {
  const impact = { cause: namespace, what: 'other object', objects: names(1_000), unread: [] };
  const { message, fix } = impactFinding(impact);
  expect(message).toMatch(/^namespace\/shared: 1000 other objects will be deleted with it: configmap\/c0, /);
  expect(message).toMatch(/, configmap\/c19, and 980 more$/);
  expect(fix).toBeUndefined();
});

test('a refusal names --yes and how to keep the objects', () => {
  const impact = { cause: namespace, what: 'other object', objects: names(1), unread: [] };
  const finding = impactFinding(impact, { refused: true });
  expect(finding).toMatchObject({
    code: 'cluster/objects-lost',
    message: 'namespace/shared: 1 other object would be deleted with it: configmap/c0',
    where: { file: 'all.yaml', line: 3 },
  });
  expect(finding.fix).toEqual([
    'pass --yes to delete them too',
    expect.stringContaining('leave the Namespace on the cluster'),
    expect.any(String),
  ]);
});

test('what could not be listed is named beside what could', () => {
  const impact = { cause: namespace, what: 'other object', objects: [], unread: ['list secrets: forbidden'] };
  expect(impactFinding(impact, { refused: true }).message).toBe(
    'namespace/shared: what would be deleted with it could not be listed: list secrets: forbidden',
  );
});
