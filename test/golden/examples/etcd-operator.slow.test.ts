// The example is a project as a user has it, edited: its manifests follow from its sources, and its CRDs accept what its cases say.
// UPDATE_GOLDEN=1 writes the manifests.
import { expect, test } from 'vitest';
import { copyExample, expectBundle } from './example-bundle.ts';
import { exampleFolder, expectManifests, runIn } from './example-commands.ts';

const project = exampleFolder('etcd-operator');

test('its manifests follow from its sources, without a warning', async () => {
  if (process.env['UPDATE_GOLDEN'] === '1') await runIn(project, 'generate', 'manifests');
  await expectManifests(project);
});

test('its CRDs accept and refuse what its cases say', async () => {
  await runIn(project, 'crd', 'test');
});

test('its alerts and its dashboard follow from its sources', async () => {
  if (process.env['UPDATE_GOLDEN'] === '1') await runIn(project, 'create', 'monitoring', '--force');
  await runIn(project, 'create', 'monitoring', '--check');
});

test('its kustomizations are complete', async () => {
  const built = await runIn(project, 'kustomize', 'build', 'config/default');
  for (const kind of ['ValidatingWebhookConfiguration', 'ServiceMonitor', 'PodMonitor', 'PrometheusRule'])
    expect(built).toContain(`kind: ${kind}`);
  expect(await runIn(project, 'kustomize', 'build', 'config/samples')).toContain('kind: EtcdCluster');
});

test('its bundle has no finding', async () => {
  await using copy = await copyExample('etcd-operator');
  await expectBundle(copy.folder, {
    packageName: 'etcd-operator',
    capabilities: 'Full Lifecycle',
    related: ['quay.io/coreos/etcd:v3.6.8'],
  });
});
