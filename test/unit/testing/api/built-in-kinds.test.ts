import { describe, expect, it } from 'vitest';
import type { Resource } from '../../../../src/sdk/api/index.ts';
import { StatefulSet } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { TokenReview } from '../../../../src/sdk/k8s/generated/authentication/v1.ts';
import { SubjectAccessReview } from '../../../../src/sdk/k8s/generated/authorization/v1.ts';
import { Job } from '../../../../src/sdk/k8s/generated/batch/v1.ts';
import {
  Binding,
  ComponentStatus,
  Endpoints,
  PersistentVolumeClaim,
  Pod,
} from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { PodDisruptionBudget } from '../../../../src/sdk/k8s/generated/policy/v1.ts';
import { isTooManyRequests } from '../../../../src/sdk/kube/index.ts';
import { defineController, ownedBy } from '../../../../src/sdk/runtime/index.ts';
import { createTestApi, type TestApiOptions } from '../../../../src/testing/index.ts';
import { memoryLog } from '../../sdk/runtime/memory-log.ts';
import { Site, site, siteCrd } from './fixtures.ts';

const key = { name: 'a', namespace: 'default' };
const labels = { app: 'a' };
const podSpec = { containers: [{ name: 'web', image: 'nginx:1' }] };
const endpoints = (name: string): Endpoints => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name, namespace: 'default' },
});
const start = (options: Partial<TestApiOptions> = {}) =>
  createTestApi({ kinds: [Endpoints], crds: [], ...options });

describe('kinds that are served with their schema alone', () => {
  it('give one warning, and their objects get no defaults', async () => {
    const { log, lines } = memoryLog();
    await using api = await start({ log, objects: [endpoints('a'), endpoints('b')] });
    await api.client.create(Endpoints, endpoints('c'));
    const warnings = lines.filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([
      { code: 'testapi/no-defaults', msg: expect.stringContaining('v1 Endpoints') as string },
    ]);
    expect(await api.client.live.get(Endpoints, { name: 'c', namespace: 'default' })).not.toHaveProperty(
      'subsets',
    );
  });

  it('are refused with strictDefaults, which kinds with rules are not', async () => {
    const code = 'testapi/no-defaults';
    await expect(start({ strictDefaults: true, objects: [endpoints('a')] })).rejects.toMatchObject({ code });
    await using api = await start({ strictDefaults: true, kinds: [PersistentVolumeClaim] });
    await expect(api.client.create(Endpoints, endpoints('a'))).rejects.toMatchObject({
      code,
      message: expect.stringContaining('startControlPlane') as string,
    });
    const spec = { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage: '1024Mi' } } };
    await api.client.create(PersistentVolumeClaim, { metadata: key, spec });
    expect(await api.client.live.get(PersistentVolumeClaim, key)).toMatchObject({
      spec: { resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    });
  });
});

it.each<Resource>([TokenReview, SubjectAccessReview, Binding, ComponentStatus])(
  'refuses $kind, whose objects are not stored',
  async (kind) => {
    const refused = expect(start({ kinds: [kind] })).rejects;
    await refused.toMatchObject({ code: 'testapi/unknown-kind' });
    await refused.toThrow(`stores no objects of ${kind.apiVersion} ${kind.kind}`);
    await refused.toThrow('fix: remove it from kinds');
  },
);

it('runs a controller that owns a StatefulSet, a Job and a PersistentVolumeClaim', async () => {
  const controller = defineController({
    for: Site,
    owns: [StatefulSet, Job, PersistentVolumeClaim],
    async reconcile(found, { client }) {
      const { name, namespace } = found.metadata;
      const metadata = { name, namespace, ...ownedBy(found) };
      await client.apply(StatefulSet, {
        metadata,
        spec: {
          serviceName: name,
          replicas: found.spec.pages ?? 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: podSpec },
        },
      });
      await client.apply(Job, {
        metadata,
        spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } },
      });
      await client.apply(PersistentVolumeClaim, {
        metadata,
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      });
      const { status } = await client.get(StatefulSet, key);
      await client.applyStatus(Site, key, { pages: status?.readyReplicas ?? 0 });
    },
  });
  await using api = await start({
    kinds: [Site, StatefulSet, Job, PersistentVolumeClaim],
    crds: [siteCrd],
    objects: [site('a', { pages: 2 })],
  });
  api.add(controller);
  await api.settle();
  expect(await api.client.get(StatefulSet, key)).toMatchObject({
    metadata: { generation: 1 },
    spec: { replicas: 2, podManagementPolicy: 'OrderedReady' },
  });
  expect(await api.client.get(Job, key)).toMatchObject({ spec: { backoffLimit: 6, completions: 1 } });
  await api.client.applyStatus(StatefulSet, key, { replicas: 2, readyReplicas: 2 });
  await api.settle();
  expect(await api.client.get(Site, key)).toMatchObject({ status: { pages: 2 } });
  await api.client.delete(Site, key);
  await api.settle();
  expect(await api.client.find(PersistentVolumeClaim, key)).toBeUndefined();
  expect(await api.client.find(StatefulSet, key)).toBeUndefined();
});

it('refuses an eviction that a PodDisruptionBudget forbids', async () => {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...key, labels },
    spec: podSpec,
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
  const budget = (disruptionsAllowed: number): PodDisruptionBudget => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: key,
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
    status: {
      observedGeneration: 1,
      disruptionsAllowed,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
    },
  });
  await using full = await start({ kinds: [Pod], objects: [pod, budget(0)] });
  const error: unknown = await full.client.live.evict(key).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 429 });
  expect(isTooManyRequests(error)).toBe(true);
  expect(await full.client.live.find(Pod, key)).toBeDefined();
  await using free = await start({ kinds: [Pod], objects: [pod, budget(1)] });
  await free.client.live.evict(key);
  expect(await free.client.live.get(PodDisruptionBudget, key)).toMatchObject({
    status: { disruptionsAllowed: 0 },
  });
});
