// A manager of one cluster that watches, reads and writes in another one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManager, defineController, watch, type ClusterHandle } from '../../../../src/index.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { ConfigMap, Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { memoryLog } from '../../../unit/sdk/runtime/memory-log.ts';
import { get } from './running-manager.ts';
import { Site, startSitePlane } from './site.ts';

let home: ControlPlane;
let client: KubeClient;
let edge: ControlPlane;
let there: KubeClient;

beforeAll(async () => {
  [{ plane: home, client }, edge] = await Promise.all([startSitePlane(), startControlPlane()]);
  const cluster = await loadCluster({ kubeconfig: edge.kubeconfig });
  there = createClient({ cluster, fieldManager: 'test' });
});
afterAll(async () => {
  await Promise.all([client?.close(), there?.close()]);
  await Promise.all([home?.stop(), edge?.stop()]);
});

const namespace = 'default';

/** A manager of the home cluster with the edge cluster, on free ports. */
async function setUp() {
  const { log, lines } = memoryLog();
  const options = { name: 'mirror', health: '127.0.0.1:0', metrics: '127.0.0.1:0', log };
  const manager = await createManager({ ...options, kubeconfig: home.kubeconfig });
  const handle = await manager.addCluster({ name: 'edge', kubeconfig: edge.kubeconfig });
  return { manager, handle, lines };
}

/** Copies the word of an edge's ConfigMap into one beside it, for the Site of its name. */
function mirrorController(cluster: ClusterHandle) {
  return defineController({
    name: 'mirror',
    for: Site,
    watches: [watch(ConfigMap, { cluster, map: ({ metadata }) => [{ name: metadata.name, namespace }] })],
    async reconcile(_, { key }) {
      const found = await cluster.client.find(ConfigMap, key);
      if (found === undefined) return;
      const copy = { metadata: { name: `${key.name}-copy`, namespace }, data: { ...found.data } };
      await cluster.client.apply(ConfigMap, copy);
    },
  });
}

describe('another cluster', () => {
  test('its objects cause reconciles, are read from its cache, and are written to it', async () => {
    const { manager, handle, lines } = await setUp();
    manager.add(mirrorController(handle));
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    try {
      await client.create(Site, { metadata: { name: 'one', namespace }, spec: {} });
      await eventually(() => expect(lines.map(({ msg }) => msg)).toContain('Starting workers'));
      await there.create(ConfigMap, { metadata: { name: 'one', namespace }, data: { word: 'x' } });
      const copied = async (word: string) =>
        eventually(async () => {
          const copy = await there.get(ConfigMap, { name: 'one-copy', namespace });
          expect(copy.data).toEqual({ word });
          expect(copy.metadata.managedFields?.map((each) => each.manager)).toEqual(['mirror']);
        });
      await copied('x');
      const body = { data: { word: 'y' } };
      await there.patch(ConfigMap, { name: 'one', namespace }, { type: 'merge', body });
      await copied('y');
      await expect(client.find(ConfigMap, { name: 'one-copy', namespace })).resolves.toBeUndefined();
      expect((await get(manager.ports.health, '/readyz')).status).toBe(200);
    } finally {
      stop.abort();
      await ended;
    }
  });

  test('kinds that are not watched in it are read live, and have to be declared for its cache', async () => {
    const { manager, handle } = await setUp();
    await using _ = manager;
    expect(handle.client.source).toBe('cluster');
    await expect(handle.client.find(Secret, { name: 'x', namespace })).rejects.toThrow(
      'no controller declares it',
    );
    await expect(handle.client.live.find(Secret, { name: 'x', namespace })).resolves.toBeUndefined();
  });

  test('while it refuses a kind, the operator is not ready, and says of which cluster', async () => {
    const { manager } = await setUp();
    const { path: kubeconfig } = await edge.userKubeconfig('nobody');
    const handle = await manager.addCluster({ name: 'closed', kubeconfig });
    manager.add(mirrorController(handle));
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    try {
      await eventually(async () => {
        const { status, text } = await get(manager.ports.health, '/readyz?verbose');
        expect(status).toBe(500);
        expect(text).toContain('closed/configmaps.v1');
      });
    } finally {
      stop.abort();
      await ended;
    }
  });

  test('bad options are all refused at once; a handle of another manager is refused', async () => {
    const { manager, handle } = await setUp();
    await using _ = manager;
    await expect(manager.addCluster({ name: 'edge', namespaces: [''] })).rejects.toMatchObject({
      findings: [
        { code: 'runtime/invalid-cluster', message: 'duplicate cluster name edge' },
        { code: 'runtime/invalid-cluster', message: 'expected either kubeconfig or cluster, got none' },
        { code: 'runtime/invalid-manager' },
      ],
    });
    const other = await setUp();
    await using __ = other.manager;
    expect(() => other.manager.add(mirrorController(handle))).toThrow('the cluster edge of another one');
  });
});
