// The life of a cluster on nodes that pretend to run its Pods.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { Pod } from 'opsdk/k8s/core/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisEnterpriseCluster } from '../../../src/api/app/v1alpha1/redis-enterprise-cluster.ts';
import { redisEnterpriseClusterController } from '../../../src/controllers/app/redis-enterprise-cluster.ts';

const crds = join(import.meta.dirname, '../../../config/crd/bases');
const key = { name: 'my-release', namespace: 'default' };

describe('RedisEnterpriseCluster', () => {
  const stop = new AbortController();
  let controlPlane: ControlPlane | undefined;
  /** The administrator, who does what users of the operator do. */
  let client: ClusterClient;
  let running: Promise<void> | undefined;
  const phases: string[] = [];

  beforeAll(async () => {
    controlPlane = await startControlPlane({ crds: [crds], nodes: 1 });
    client = createClusterClient({
      cluster: await loadCluster({ kubeconfig: controlPlane.kubeconfig }),
      fieldManager: 'test',
    });
    const kubeconfig = controlPlane.operatorKubeconfig;
    const manager = await createManager({
      name: 'redis-enterprise',
      kubeconfig,
      health: '0',
      logLevel: 'error',
    });
    manager.add(redisEnterpriseClusterController);
    running = manager.run({ signal: stop.signal });
  }, 900_000);

  afterAll(async () => {
    stop.abort();
    await running;
    await client?.close();
    await controlPlane?.stop();
  });

  /** Waits for a phase, and remembers each that was seen on the way. */
  async function phase(wanted: string): Promise<void> {
    await eventually(
      async () => {
        const { status } = await client.get(RedisEnterpriseCluster, key);
        const { phase = 'none' } = status ?? {};
        if (phases.at(-1) !== phase) phases.push(phase);
        expect(phase).toBe(wanted);
      },
      { timeout: '60s', interval: '20ms' },
    );
  }

  async function pods(): Promise<readonly (string | undefined)[]> {
    const { items } = await client.list(Pod, { namespace: key.namespace });
    return items.map(({ metadata }) => metadata.uid).sort();
  }

  it('is created with three nodes', async () => {
    const amounts = { memory: '1Gi', cpu: '500m', 'ephemeral-storage': '5Gi' };
    await client.create(RedisEnterpriseCluster, {
      metadata: key,
      spec: {
        nodes: 3,
        resources: { requests: amounts, limits: amounts },
        securityContext: { fsGroup: 999, runAsUser: 999 },
        license: 'accept',
      },
    });
    await phase('Ready');
    const { status } = await client.get(RedisEnterpriseCluster, key);
    expect(status).toMatchObject({ readyNodes: 3, message: '3 of 3 nodes are ready' });
    expect(await pods()).toHaveLength(3);
  });

  it('gets a fourth node by a patch, and keeps the others', async () => {
    const before = await pods();
    await client.mergePatch(RedisEnterpriseCluster, key, { spec: { nodes: 4 } });
    await phase('Restarting');
    await phase('Ready');
    expect(await pods()).toEqual(expect.arrayContaining([...before]));
  });

  it('loses its resources by a replacement that leaves them out, and all nodes restart', async () => {
    const before = await pods();
    const { apiVersion, kind, metadata } = await client.get(RedisEnterpriseCluster, key);
    // `kubectl replace` of a file with nothing but the nodes.
    await client.update(RedisEnterpriseCluster, { apiVersion, kind, metadata, spec: { nodes: 4 } });
    await phase('Restarting');
    await phase('Ready');
    const { spec } = await client.get(RedisEnterpriseCluster, key);
    expect(spec).toEqual({ nodes: 4, image: 'redislabs/redis:7.22.0-28' });
    const after = await pods();
    expect(after).toHaveLength(4);
    expect(after.filter((uid) => before.includes(uid))).toEqual([]);
  });

  it('has gone through the phases in their order', () => {
    expect(phases.filter((each) => each !== 'none')).toEqual(
      expect.arrayContaining(['Creating', 'Ready', 'Restarting', 'Ready', 'Restarting', 'Ready']),
    );
    expect(phases.at(-1)).toBe('Ready');
  });
});
