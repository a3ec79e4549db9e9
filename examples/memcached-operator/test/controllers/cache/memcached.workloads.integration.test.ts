// The controller while its Pods come, fail and move: on nodes that pretend to run them.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { Pod } from 'opsdk/k8s/core/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Memcached } from '../../../src/api/cache/v1alpha1/memcached.ts';
import { memcachedController } from '../../../src/controllers/cache/memcached.ts';

const crds = join(import.meta.dirname, '../../../config/crd/bases');
const key = { namespace: 'default', name: 'carts' };
const labels = 'app.kubernetes.io/instance=carts';

describe('Memcached', () => {
  const stop = new AbortController();
  let controlPlane: ControlPlane;
  let client: ClusterClient;
  let running: Promise<void>;

  beforeAll(async () => {
    controlPlane = await startControlPlane({ crds: [crds], nodes: { count: 2, restartBackOff: 200 } });
    const cluster = await loadCluster({ kubeconfig: controlPlane.kubeconfig });
    client = createClusterClient({ cluster, fieldManager: 'test' });
    const manager = await createManager({
      name: 'memcached-operator',
      kubeconfig: controlPlane.operatorKubeconfig,
      health: '0',
      logLevel: 'error',
    });
    manager.add(memcachedController);
    running = manager.run({ signal: stop.signal });
    await client.create(Memcached, { metadata: key, spec: { size: 2 } });
  }, 600_000);

  afterAll(async () => {
    stop.abort();
    await running;
    await client?.close();
    await controlPlane?.stop();
  });

  const available = async (status: 'True' | 'False', message: string) => {
    await eventually(
      async () => {
        const memcached = await client.get(Memcached, key);
        expect(memcached.status?.conditions).toMatchObject([{ type: 'Available', status, message }]);
      },
      { timeout: '60s' },
    );
  };

  it('is available once its Pods are ready', async () => {
    await available('True', '2 of 2 Pods are ready');
  });

  it('is not available while its Pods crash', async () => {
    const crashing = controlPlane.workloads.pods({ labels }).crashLoop({ exitCode: 137 });
    await available('False', '0 of 2 Pods are ready');
    crashing.release();
    await available('True', '2 of 2 Pods are ready');
  });

  it('waits for an image that cannot be pulled', async () => {
    const failing = controlPlane.workloads.pods({ labels }).failImagePull();
    await client.patch(Memcached, key, { type: 'merge', body: { spec: { size: 3 } } });
    await available('False', '2 of 3 Pods are ready');
    failing.release();
    await available('True', '3 of 3 Pods are ready');
  });

  it('gets Pods on another node when theirs goes down', async () => {
    const [pod] = (await client.list(Pod, { namespace: key.namespace, labelSelector: labels })).items;
    const node = controlPlane.workloads.nodes.find(({ name }) => name === pod?.spec?.nodeName);
    node?.down();
    await eventually(
      async () => {
        const { items } = await client.list(Pod, { namespace: key.namespace, labelSelector: labels });
        const others = items.filter(({ spec }) => spec?.nodeName !== node?.name);
        expect(others).toHaveLength(3);
      },
      { timeout: '60s' },
    );
    await available('True', '3 of 3 Pods are ready');
    node?.up();
  });
});
