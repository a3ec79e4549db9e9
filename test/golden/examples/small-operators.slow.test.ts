// The smaller examples are projects as a user has them, edited: their manifests follow from their sources, their CRDs accept what their cases
// say, and their bundles have no finding. UPDATE_GOLDEN=1 writes the manifests.
import { describe, expect, test } from 'vitest';
import { copyExample, expectBundle } from './example-bundle.ts';
import { exampleFolder, expectManifests, runIn } from './example-commands.ts';

interface SmallExample {
  readonly name: string;
  readonly kind: string;
  readonly capabilities: string;
  readonly related?: readonly string[];
}

describe.each<SmallExample>([
  { name: 'flink-operator', kind: 'FlinkCluster', capabilities: 'Seamless Upgrades' },
  { name: 'rbac-manager', kind: 'RBACDefinition', capabilities: 'Seamless Upgrades' },
  {
    name: 'redis-enterprise',
    kind: 'RedisEnterpriseCluster',
    capabilities: 'Basic Install',
    related: ['docker.io/redislabs/redis:7.22.0-28'],
  },
  { name: 'scheduler-operator', kind: 'KubeScheduler', capabilities: 'Seamless Upgrades' },
])('$name', ({ name, kind, ...bundle }) => {
  const project = exampleFolder(name);

  test('has manifests that follow from its sources, without a warning', async () => {
    if (process.env['UPDATE_GOLDEN'] === '1') await runIn(project, 'generate', 'manifests');
    await expectManifests(project);
  });

  test('has CRDs that accept and refuse what its cases say', async () => {
    await runIn(project, 'crd', 'test');
  });

  test('has complete kustomizations', async () => {
    expect(await runIn(project, 'kustomize', 'build', 'config/default')).toContain('kind: Deployment');
    expect(await runIn(project, 'kustomize', 'build', 'config/samples')).toContain(`kind: ${kind}`);
  });

  test('has a bundle without a finding', async () => {
    await using copy = await copyExample(name);
    await expectBundle(copy.folder, { packageName: name, ...bundle });
  });
});

test('what the scheduler of scheduler-operator runs as is complete', async () => {
  const built = await runIn(exampleFolder('scheduler-operator'), 'kustomize', 'build', 'config/operand');
  for (const kind of ['Namespace', 'ServiceAccount', 'ClusterRoleBinding', 'Role', 'RoleBinding'])
    expect(built).toContain(`kind: ${kind}\n`);
});
