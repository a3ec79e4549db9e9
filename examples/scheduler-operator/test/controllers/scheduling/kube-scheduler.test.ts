// Unit tests on an API server in memory; they need no cluster and no binaries.
import { join } from 'node:path';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Namespace } from 'opsdk/k8s/core/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { KubeScheduler } from '../../../src/api/scheduling/v1alpha1/kube-scheduler.ts';
import { Scheduler } from '../../../src/api/scheduling/v1alpha1/scheduler.ts';
import { kubeSchedulerController } from '../../../src/controllers/scheduling/kube-scheduler.ts';
import { operandKey } from '../../../src/operand/desired.ts';

expect.extend(kubernetesMatchers);

const crds = [join(import.meta.dirname, '../../../config/crd/bases')];
const key = { name: 'cluster' };
const settings: KubeScheduler = {
  apiVersion: 'scheduling.example.com/v1alpha1',
  kind: 'KubeScheduler',
  metadata: key,
  spec: { image: 'kube-scheduler:v1.37.2' },
};

async function started(): Promise<TestApi> {
  const kinds = [KubeScheduler, Scheduler, ConfigMap, Deployment, Namespace];
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: operandKey.namespace } };
  const api = await createTestApi({ crds, kinds, objects: [namespace, settings] });
  api.add(kubeSchedulerController);
  await api.settle();
  return api;
}

const deployment = ({ client }: TestApi) => client.get(Deployment, operandKey);

async function configuration({ client }: TestApi): Promise<unknown> {
  const { data } = await client.get(ConfigMap, operandKey);
  return JSON.parse(data?.['config.yaml'] ?? '');
}

async function setState(api: TestApi, managementState: 'Managed' | 'Unmanaged' | 'Removed'): Promise<void> {
  await api.client.mergePatch(KubeScheduler, key, { spec: { managementState } });
  await api.settle();
}

it('runs a scheduler with the default profile without a Scheduler', async () => {
  await using api = await started();
  expect(await configuration(api)).toMatchObject({ profiles: [{ schedulerName: 'cluster-scheduler' }] });
  expect((await deployment(api)).spec).toMatchObject({ replicas: 2 });
  const { status } = await api.client.get(KubeScheduler, key);
  expect(status?.profile).toBe('LowNodeUtilization');
});

it('restarts the scheduler with the profile that the Scheduler asks for', async () => {
  await using api = await started();
  const before = (await deployment(api)).spec?.template.metadata?.annotations;
  await api.client.create(Scheduler, { metadata: key, spec: { profile: 'NoScoring' } });
  await api.settle();
  expect(await configuration(api)).toMatchObject({ profiles: [{ plugins: { score: {} } }] });
  expect((await deployment(api)).spec?.template.metadata?.annotations).not.toEqual(before);
  await api.client.delete(Scheduler, key);
  await api.settle();
  expect((await deployment(api)).spec?.template.metadata?.annotations).toEqual(before);
});

it('leaves fields alone that it does not decide, and puts the others right', async () => {
  await using api = await started();
  const tolerations = [{ key: 'control-plane', operator: 'Exists' as const }];
  await api.client.mergePatch(Deployment, operandKey, {
    metadata: { annotations: { team: 'platform' } },
    spec: { replicas: 0, template: { spec: { tolerations } } },
  });
  await api.settle();
  await api.client.mergePatch(KubeScheduler, key, { spec: { logLevel: 'Trace' } });
  await api.settle();
  const { metadata, spec } = await deployment(api);
  expect(metadata.annotations).toMatchObject({ team: 'platform' });
  expect(spec?.template.spec?.tolerations).toEqual(tolerations);
  expect(spec?.replicas).toBe(2);
  expect(spec?.template.spec?.containers[0]?.args).toContain('--v=6');
});

it('touches nothing while it is Unmanaged', async () => {
  await using api = await started();
  await setState(api, 'Unmanaged');
  await api.client.mergePatch(Deployment, operandKey, { spec: { replicas: 1 } });
  await api.client.delete(ConfigMap, operandKey);
  await api.settle();
  expect((await deployment(api)).spec?.replicas).toBe(1);
  expect(await api.client.find(ConfigMap, operandKey)).toBeUndefined();
  const scheduler = await api.client.get(KubeScheduler, key);
  expect(scheduler).toHaveCondition('Available', 'Unknown', { reason: 'Unmanaged' });
  await setState(api, 'Managed');
  expect((await deployment(api)).spec?.replicas).toBe(2);
});

it('removes the scheduler, and says it once', async () => {
  await using api = await started();
  await setState(api, 'Removed');
  expect(await api.client.find(Deployment, operandKey)).toBeUndefined();
  expect(await api.client.find(ConfigMap, operandKey)).toBeUndefined();
  expect(await api.client.get(KubeScheduler, key)).toHaveCondition('Available', 'False', {
    reason: 'Removed',
  });
  await api.client.mergePatch(KubeScheduler, key, { spec: { logLevel: 'Debug' } });
  await api.settle();
  expect(api.events.filter(({ reason }) => reason === 'SchedulerRemoved')).toMatchObject([{ count: 1 }]);
});

it('is available with one replica, and progressing until all are ready', async () => {
  await using api = await started();
  const { generation = 1 } = (await deployment(api)).metadata;
  const report = async (readyReplicas: number): Promise<void> => {
    const status = { observedGeneration: generation, replicas: 2, updatedReplicas: 2, readyReplicas };
    const body = { type: 'merge', body: { status } } as const;
    await api.client.patch(Deployment, operandKey, body, { subresource: 'status' });
    await api.settle();
  };
  await report(1);
  const first = await api.client.get(KubeScheduler, key);
  expect(first).toHaveCondition('Available', 'True');
  expect(first).toHaveCondition('Progressing', 'True', { reason: 'RollingOut' });
  await report(2);
  expect(await api.client.get(KubeScheduler, key)).toHaveCondition('Progressing', 'False');
});
