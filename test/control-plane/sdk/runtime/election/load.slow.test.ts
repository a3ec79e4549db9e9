// L10 on a real API server: a leader that lists and reconciles all at once what may be 50,000 objects.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineController } from '../../../../../src/index.ts';
import { ConfigMap } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import {
  createClient,
  loadCluster,
  type Cluster,
  type KubeClient,
} from '../../../../../src/sdk/kube/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../../src/testing/index.ts';
import { uniqueNamespace } from '../../../../helpers/control-plane.ts';
import { isThorough } from '../../../../helpers/thorough.ts';
import { runManager } from '../running-manager.ts';
import { campaign, connectTo } from './candidate.ts';

const count = isThorough ? 50_000 : 4000;

let plane: ControlPlane;
let client: KubeClient;
let cluster: Cluster;
let namespace: string;
beforeAll(async () => {
  plane = await startControlPlane({ controllerManager: true });
  cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
  client = createClient({ cluster, fieldManager: 'test' });
  namespace = await uniqueNamespace(plane);
  let next = 0;
  const text = 'x'.repeat(800);
  const create = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++)
      await client.create(ConfigMap, { metadata: { name: `map-${i}`, namespace }, data: { text } });
  };
  await Promise.all(Array.from({ length: 32 }, create));
}, 600_000);
afterAll(async () => {
  await client.close();
  await plane.stop();
});

test(`L10: ${count} objects are listed and reconciled while the lease is renewed`, async () => {
  const connection = connectTo(cluster);
  const settings = {
    id: 'load',
    namespace,
    leaseDuration: 15_000,
    renewDeadline: 10_000,
    retryPeriod: 200,
    releaseOnStop: true,
  };
  await using candidate = campaign({ connection, settings });
  expect(await candidate.elected).toBe(true);
  const sent = new Set<string>();
  let longest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    const { resourceVersion = '' } = candidate.elector.lease?.metadata ?? {};
    if (sent.has(resourceVersion)) return;
    sent.add(resourceVersion);
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const seen = new Set<string>();
  const controller = defineController({
    name: 'load',
    for: ConfigMap,
    reconcile: ({ metadata }) => void seen.add(metadata.name),
  });
  {
    await using _ = await runManager({ kubeconfig: plane.kubeconfig, namespaces: [namespace] }, controller);
    // A list that the controller itself makes, whole.
    const { items } = await client.list(ConfigMap, { namespace });
    expect(items.length).toBeGreaterThanOrEqual(count);
    await eventually(() => seen.size >= count, { timeout: 120_000 });
  }
  clearInterval(watch);
  // A third of what is allowed.
  expect(longest).toBeLessThan(3300);
  expect(sent.size).toBeGreaterThan(2);
  expect(() => candidate.fence.check()).not.toThrow();
  expect(candidate.lines.filter(({ level }) => level !== 'info')).toEqual([]);
  await connection.close();
}, 300_000);
