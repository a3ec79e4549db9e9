// The example is a project as a user has it, edited: its manifests follow from its sources, and its CRDs accept what its cases say.
// UPDATE_GOLDEN=1 writes the manifests.
import { expect, test } from 'vitest';
import { copyExample, expectBundle } from './example-bundle.ts';
import { exampleFolder, expectManifests, runIn } from './example-commands.ts';

const project = exampleFolder('redis-operator');

test('its manifests follow from its sources, without a warning', async () => {
  if (process.env['UPDATE_GOLDEN'] === '1') await runIn(project, 'generate', 'manifests');
  await expectManifests(project);
});

test('its CRDs accept and refuse what its cases say', async () => {
  await runIn(project, 'crd', 'test');
});

test('its kustomizations are complete', async () => {
  expect(await runIn(project, 'kustomize', 'build', 'config/default')).toContain(
    'kind: ValidatingWebhookConfiguration',
  );
  expect(await runIn(project, 'kustomize', 'build', 'config/samples')).toContain(
    'kind: DistributedRedisCluster',
  );
});

test('its bundle has no finding', async () => {
  await using copy = await copyExample('redis-operator');
  await expectBundle(copy.folder, {
    packageName: 'redis-operator',
    capabilities: 'Auto Pilot',
    related: ['docker.io/library/redis:7.4-alpine'],
  });
});
