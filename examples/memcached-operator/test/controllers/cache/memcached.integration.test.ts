// The controller on a real API server: etcd and kube-apiserver, without a cluster behind them.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Event } from 'opsdk/k8s/events/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Memcached } from '../../../src/api/cache/v1alpha1/memcached.ts';
import { memcachedController } from '../../../src/controllers/cache/memcached.ts';

const crds = join(import.meta.dirname, '../../../config/crd/bases');
const key = { namespace: 'default', name: 'sessions' };
const stop = new AbortController();
let controlPlane: ControlPlane;
/** The administrator, who does what users of the operator do. */
let client: ClusterClient;
let running: Promise<void>;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: [crds] });
  const cluster = await loadCluster({ kubeconfig: controlPlane.kubeconfig });
  client = createClusterClient({ cluster, fieldManager: 'test' });
  const manager = await createManager({
    name: 'memcached-operator',
    // Under `op-sdk rbac audit` the operator has the rights of its own role here.
    kubeconfig: controlPlane.operatorKubeconfig,
    health: '0',
    logLevel: 'error',
  });
  manager.add(memcachedController);
  running = manager.run({ signal: stop.signal });
  await client.create(Memcached, { metadata: key, spec: { size: 3 } });
}, 600_000);

afterAll(async () => {
  stop.abort();
  await running;
  await client?.close();
  await controlPlane?.stop();
});

const deployment = () => client.get(Deployment, key);

it('creates the Deployment', async () => {
  await eventually(async () => expect((await deployment()).spec?.replicas).toBe(3));
});

it('follows the size', async () => {
  await client.patch(Memcached, key, { type: 'merge', body: { spec: { size: 2 } } });
  await eventually(async () => expect((await deployment()).spec?.replicas).toBe(2));
});

it('reports what the Deployment reports', async () => {
  await client.applyStatus(Deployment, key, { replicas: 2, readyReplicas: 2 });
  await eventually(async () => {
    const { status } = await client.get(Memcached, key);
    expect(status).toMatchObject({
      readyReplicas: 2,
      conditions: [{ type: 'Available', status: 'True', message: '2 of 2 Pods are ready' }],
    });
  });
});

it('creates the Deployment again when somebody deletes it', async () => {
  const { uid } = (await deployment()).metadata;
  await client.delete(Deployment, key);
  await eventually(async () => expect((await deployment()).metadata.uid).not.toBe(uid));
});

it('records Events about its Memcached', async () => {
  await eventually(async () => {
    const { items } = await client.list(Event, { namespace: key.namespace });
    const notes = items.filter(({ regarding }) => regarding?.name === key.name).map(({ note }) => note);
    expect(notes).toEqual(expect.arrayContaining(['from 0 to 3 Pods', 'from 3 to 2 Pods']));
  });
});

it('lets the Pods end before the Memcached goes', async () => {
  await client.applyStatus(Deployment, key, { replicas: 2, readyReplicas: 2 });
  await client.delete(Memcached, key);
  await eventually(async () => expect((await deployment()).spec?.replicas).toBe(0));
  expect(await client.find(Memcached, key)).toBeDefined();
  await client.applyStatus(Deployment, key, { replicas: 0 });
  await eventually(async () => expect(await client.find(Memcached, key)).toBeUndefined());
});
