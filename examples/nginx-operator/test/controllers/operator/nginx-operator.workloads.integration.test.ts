// The controller while its Pods come and fail: on nodes that pretend to run them.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Pod } from 'opsdk/k8s/core/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NginxOperator } from '../../../src/api/operator/v1alpha1/nginx-operator.ts';
import { nginxOperatorController } from '../../../src/controllers/operator/nginx-operator.ts';

const crds = join(import.meta.dirname, '../../../config/crd/bases');
const key = { namespace: 'default', name: 'shop' };

describe('NginxOperator', () => {
  const stop = new AbortController();
  let controlPlane: ControlPlane;
  let client: ClusterClient;
  let running: Promise<void>;

  beforeAll(async () => {
    controlPlane = await startControlPlane({ crds: [crds], nodes: { count: 2, restartBackOff: 200 } });
    const cluster = await loadCluster({ kubeconfig: controlPlane.kubeconfig });
    client = createClusterClient({ cluster, fieldManager: 'test' });
    const manager = await createManager({
      name: 'nginx-operator',
      kubeconfig: controlPlane.operatorKubeconfig,
      health: '0',
      logLevel: 'error',
    });
    manager.add(nginxOperatorController);
    running = manager.run({ signal: stop.signal });
    await client.create(NginxOperator, { metadata: key, spec: { replicas: 2 } });
  }, 600_000);

  afterAll(async () => {
    stop.abort();
    await running;
    await client?.close();
    await controlPlane?.stop();
  });

  const ready = async (count: number) => {
    await eventually(
      async () => expect((await client.get(Deployment, key)).status?.readyReplicas ?? 0).toBe(count),
      { timeout: '60s' },
    );
  };

  it('has Pods that become ready', async () => {
    await ready(2);
  });

  it('keeps its Pods while a new image cannot be pulled', async () => {
    const failing = controlPlane.workloads.pods().failImagePull();
    await client.patch(NginxOperator, key, { type: 'merge', body: { spec: { forceRedploy: 'now' } } });
    await eventually(async () => {
      const { items } = await client.list(Pod, { namespace: key.namespace });
      const reasons = items.map(({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason);
      expect(reasons).toContain('ImagePullBackOff');
    });
    await ready(2);
    failing.release();
  });

  it('has its Pods again after a crash loop and the loss of a node', async () => {
    const [node] = controlPlane.workloads.nodes;
    node?.down();
    const crashing = controlPlane.workloads.pods().crashLoop();
    await ready(0);
    crashing.release();
    await ready(2);
    node?.up();
  });
});
