// Waits go on while the API server is restarted: each of them begins before it is killed and ends after it answers again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../src/sdk/api/index.ts';
import { applyObjects, patientClient, waitRollout } from '../../../src/cluster/index.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../src/testing/index.ts';
import { deployment, manifest, remove } from './helpers.ts';
import { ConfigMap } from './kinds.ts';

const Deployment = externalResource<KubeObject>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
});

let plane: ControlPlane;
let client: KubeClient;
beforeAll(async () => {
  // Without controllers, so that the test alone says how far a Deployment is.
  plane = await startControlPlane();
  const cluster = await loadCluster({ kubeconfig: plane.kubeconfig, env: {} });
  client = createClient({ cluster, fieldManager: 'test', onWarning: () => undefined });
});
afterAll(async () => {
  await client.close();
  await plane.stop();
});

const key = (name: string) => ({ name, namespace: 'default' });
const down = 'waiting for the API server: ';

/** Kills the API server, waits until the wait has noticed, starts it again. */
async function restart(lines: readonly string[]): Promise<void> {
  await plane.killApiServer('SIGKILL');
  await eventually(() => lines.some((line) => line.startsWith(down)), { timeout: 60_000 });
  await plane.restartApiServer();
  await eventually(() => lines.includes('the API server answers again'), { timeout: 60_000 });
}

test('a rollout', async () => {
  const lines: string[] = [];
  const applied = await applyObjects({ client, objects: manifest(deployment('web', 'default')) });
  const waiting = waitRollout({
    client,
    objects: applied.map(({ object }) => object),
    timeout: 120_000,
    interval: 50,
    // This is about a Pod that waits for a node, and for the API server.
    patience: { image: 120_000, noNodes: 120_000, unreadyNodes: 120_000 },
    onProgress: (line) => lines.push(line),
  });
  await eventually(() => lines.length > 0, { timeout: 30_000 });
  await restart(lines);
  const status = {
    observedGeneration: 1,
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
  };
  await client.patch(Deployment, key('web'), { type: 'merge', body: { status } }, { subresource: 'status' });
  await waiting;
  expect(lines.at(-1)).toBe('deployment.apps/web is rolled out');
});

test('the end of an object that a finalizer holds', async () => {
  const lines: string[] = [];
  const metadata = { ...key('held'), finalizers: ['example.com/held'] };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  await applyObjects({ client, objects: manifest(object) });
  const gone = remove(client, manifest(object), { timeout: 120_000, onProgress: (line) => lines.push(line) });
  await eventually(
    async () => (await client.get(ConfigMap, key('held'))).metadata.deletionTimestamp !== undefined,
    { timeout: 30_000 },
  );
  await restart(lines);
  await client.patch(ConfigMap, key('held'), { type: 'merge', body: { metadata: { finalizers: null } } });
  expect(await gone).toEqual(['configmap/held deleted']);
});

test('single requests of a patient client', async () => {
  const lines: string[] = [];
  const patient = patientClient(client, { timeout: 120_000, onProgress: (line) => lines.push(line) });
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('written'), data: { a: '1' } };
  expect(await patient.find(ConfigMap, key('written'))).toBeUndefined();
  await plane.killApiServer('SIGKILL');
  const never = patientClient(client);
  await expect(never.find(ConfigMap, key('written'))).rejects.toMatchObject({ code: 'kube/unreachable' });
  const written = applyObjects({ client: patient, objects: manifest(object) });
  await eventually(() => lines.some((line) => line.startsWith(down)), { timeout: 60_000 });
  await plane.restartApiServer();
  await written;
  expect(lines.at(-1)).toBe('the API server answers again');
  expect((await client.get(ConfigMap, key('written'))).metadata.name).toBe('written');

  lines.length = 0;
  await plane.killApiServer('SIGKILL');
  const removed = remove(patient, manifest(object), { timeout: 120_000 });
  await eventually(() => lines.some((line) => line.startsWith(down)), { timeout: 60_000 });
  await plane.restartApiServer();
  expect(await removed).toEqual(['configmap/written deleted']);
});
