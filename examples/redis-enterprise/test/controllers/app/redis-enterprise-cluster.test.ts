// Unit tests on an API server in memory; they need no cluster and no binaries.
import { join } from 'node:path';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { Service } from 'opsdk/k8s/core/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { expect, it } from 'vitest';
import { RedisEnterpriseCluster } from '../../../src/api/app/v1alpha1/redis-enterprise-cluster.ts';
import { PodMetrics } from '../../../src/api/metrics/v1beta1/pod-metrics.ts';
import { labelsOf } from '../../../src/cluster/desired.ts';
import { redisEnterpriseClusterController } from '../../../src/controllers/app/redis-enterprise-cluster.ts';

const crds = [join(import.meta.dirname, '../../../config/crd/bases')];
const key = { name: 'my-release', namespace: 'default' };
const cluster: RedisEnterpriseCluster = {
  apiVersion: 'app.redislabs.com/v1alpha1',
  kind: 'RedisEnterpriseCluster',
  metadata: key,
  spec: { nodes: 3, license: 'accept' },
};

async function started(): Promise<TestApi> {
  const kinds = [RedisEnterpriseCluster, Service, StatefulSet];
  const api = await createTestApi({ crds, kinds, objects: [cluster] });
  api.add(redisEnterpriseClusterController);
  await api.settle();
  return api;
}

/** Writes the status that the controller of StatefulSets would write. */
async function ready(api: TestApi, readyReplicas: number, updatedReplicas = readyReplicas): Promise<void> {
  const { metadata, spec } = await api.client.get(StatefulSet, key);
  const status = {
    replicas: spec?.replicas ?? 1,
    readyReplicas,
    updatedReplicas,
    observedGeneration: metadata.generation ?? 1,
    currentRevision: 'a',
    updateRevision: updatedReplicas === readyReplicas ? 'a' : 'b',
  };
  await api.client.patch(StatefulSet, key, { type: 'merge', body: { status } }, { subresource: 'status' });
  await api.settle();
}

async function seen(api: TestApi): Promise<string> {
  const { status } = await api.client.get(RedisEnterpriseCluster, key);
  return `${status?.phase}: ${status?.message}`;
}

it('is Creating until all nodes are ready', async () => {
  await using api = await started();
  expect(await seen(api)).toBe('Creating: 0 of 3 nodes are ready');
  await ready(api, 2);
  expect(await seen(api)).toBe('Creating: 2 of 3 nodes are ready');
  await ready(api, 3);
  expect(await seen(api)).toBe('Ready: 3 of 3 nodes are ready');
});

it('is Restarting while nodes are added', async () => {
  await using api = await started();
  await ready(api, 3);
  await api.client.mergePatch(RedisEnterpriseCluster, key, { spec: { nodes: 4 } });
  await api.settle();
  expect(await seen(api)).toBe('Restarting: 3 of 4 nodes are ready');
  await ready(api, 4);
  expect(await seen(api)).toBe('Ready: 4 of 4 nodes are ready');
  expect(api.events.map(({ note }) => note)).toContain('Restarting: 3 of 4 nodes are ready');
});

it('is Restarting while nodes are replaced, though all of them are ready', async () => {
  await using api = await started();
  await ready(api, 3);
  await ready(api, 3, 1);
  expect(await seen(api)).toBe('Restarting: 3 of 3 nodes are ready');
});

it('has no usage in a cluster without metrics', async () => {
  await using api = await started();
  await ready(api, 3);
  const { status } = await api.client.get(RedisEnterpriseCluster, key);
  expect(status).not.toHaveProperty('memoryUsageMB');
});

it('shows what its nodes use, and follows it', async () => {
  const kinds = [RedisEnterpriseCluster, Service, StatefulSet, PodMetrics];
  const metrics = join(import.meta.dirname, '../../fixtures/pod-metrics.yaml');
  await using api = await createTestApi({ crds: [...crds, metrics], kinds, objects: [cluster] });
  api.add(redisEnterpriseClusterController);
  const containers = [{ name: 'redis-enterprise', usage: { memory: '1000Mi', cpu: '120m' } }];
  const node = { name: 'my-release-0', namespace: 'default', labels: labelsOf(cluster) };
  await api.client.create(PodMetrics, { metadata: node, containers });
  await api.settle();
  const first = await api.client.get(RedisEnterpriseCluster, key);
  expect(first.status).toMatchObject({ memoryUsageMB: 1049, cpuUsagePct: 12 });
  await api.client.delete(PodMetrics, node);
  await api.advance('1m');
  const second = await api.client.get(RedisEnterpriseCluster, key);
  expect(second.status).not.toHaveProperty('cpuUsagePct');
});

it('is right about its nodes while metrics are not available', async () => {
  await using api = await started();
  const refusal = { code: 503, reason: 'ServiceUnavailable' };
  api.intercept({ verb: 'list', resource: PodMetrics, times: Infinity }, refusal);
  await ready(api, 3);
  expect(await seen(api)).toBe('Ready: 3 of 3 nodes are ready');
});
