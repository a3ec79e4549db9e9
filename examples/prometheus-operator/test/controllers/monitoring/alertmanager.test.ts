// Unit tests on an API server in memory; they need no cluster and no binaries.
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Namespace, Secret, Service } from 'opsdk/k8s/core/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Alertmanager } from '../../../src/api/monitoring/v1/alertmanager.ts';
import { AlertmanagerConfig } from '../../../src/api/monitoring/v1alpha1/alertmanager-config.ts';
import { alertmanagerController } from '../../../src/controllers/monitoring/alertmanager.ts';
import { alertmanager, alertmanagerConfig, namespace } from '../../fixtures/objects.ts';
import { crds } from '../../fixtures/prometheus-fixture.ts';

expect.extend(kubernetesMatchers);

const key = { name: 'main', namespace };
const ownKey = { name: 'alertmanager-main', namespace };
let api: TestApi;
beforeEach(async () => {
  const kinds = [Alertmanager, AlertmanagerConfig, StatefulSet, Service, Secret, ConfigMap, Namespace];
  api = await createTestApi({ kinds, crds });
  api.add(alertmanagerController);
});
afterEach(() => api[Symbol.asyncDispose]());

async function create(spec: Partial<Alertmanager['spec']> = {}): Promise<void> {
  await api.client.create(Alertmanager, alertmanager({ alertmanagerConfigSelector: {}, ...spec }));
  await api.settle();
}

async function receivers(): Promise<readonly string[]> {
  const { data } = await api.client.get(Secret, { namespace, name: 'alertmanager-main-generated' });
  const text = Buffer.from(data?.['alertmanager.yaml'] ?? '', 'base64').toString('utf8');
  return (parse(text) as { receivers: readonly { name: string }[] }).receivers.map(({ name }) => name);
}

it('runs a cluster whose Pods know each other', async () => {
  await create({ replicas: 3 });
  const { spec } = await api.client.get(StatefulSet, ownKey);
  expect(spec).toMatchObject({ replicas: 3, serviceName: 'alertmanager-main' });
  const args = spec?.template.spec?.containers[0]?.args ?? [];
  expect(args).toContain('--cluster.peer=alertmanager-main-2.alertmanager-main.default.svc:9094');
  expect(args).toContain('--cluster.listen-address=$(POD_IP):9094');
  expect((await api.client.get(Service, ownKey)).spec).toMatchObject({ publishNotReadyAddresses: true });
  expect(await receivers()).toEqual(['null']);
});

it('runs alone without the protocol of clusters', async () => {
  await create();
  const { spec } = await api.client.get(StatefulSet, ownKey);
  const args = spec?.template.spec?.containers[0]?.args ?? [];
  expect(args).toContain('--cluster.listen-address=');
  expect(args.join()).not.toContain('--cluster.peer');
});

it('adds AlertmanagerConfigs to the configuration of a Secret, and follows both', async () => {
  const base = (name: string) => ({
    'alertmanager.yaml': `route: {receiver: ${name}}\nreceivers: [{name: ${name}}]\n`,
    'a.tmpl': 'b',
  });
  await api.client.create(Secret, { metadata: { ...ownKey }, stringData: base('own') });
  await create();
  expect(await receivers()).toEqual(['own']);
  await api.client.create(AlertmanagerConfig, alertmanagerConfig('team'));
  await api.settle();
  expect(await receivers()).toEqual(['own', 'default/team/team']);
  await api.client.mergePatch(Secret, ownKey, { stringData: base('other') });
  await api.settle();
  expect(await receivers()).toEqual(['other', 'default/team/team']);
  const { data } = await api.client.get(Secret, { namespace, name: 'alertmanager-main-generated' });
  expect(data?.['a.tmpl']).toBe('Yg==');
  await api.client.delete(AlertmanagerConfig, { name: 'team', namespace });
  await api.settle();
  expect(await receivers()).toEqual(['other']);
});

it('waits for a Secret that it names', async () => {
  await expect(create({ configSecret: 'mine' })).rejects.toThrow('Secret mine does not exist');
  expect(await api.client.get(Alertmanager, key)).toHaveCondition('Reconciled', 'False');
  await api.client.create(Secret, {
    metadata: { name: 'mine', namespace },
    stringData: { 'alertmanager.yaml': 'route: {receiver: a}\nreceivers: [{name: a}]\n' },
  });
  await api.settle();
  expect(await receivers()).toEqual(['a']);
  expect(await api.client.get(Alertmanager, key)).toHaveCondition('Reconciled', 'True');
});

it('leaves a broken AlertmanagerConfig out with an Event and a condition', async () => {
  await create();
  await api.client.create(AlertmanagerConfig, alertmanagerConfig('broken', { route: { receiver: 'other' } }));
  await api.client.create(AlertmanagerConfig, alertmanagerConfig('good'));
  await api.settle();
  expect(await receivers()).toEqual(['null', 'default/good/team']);
  expect(await api.client.get(Alertmanager, key)).toHaveCondition('ConfigurationComplete', 'False', {
    reason: 'ObjectsLeftOut',
  });
  expect(api.events).toMatchObject([{ reason: 'InvalidConfiguration', regarding: { name: 'broken' } }]);
});

it('shows its Pods, also while it is paused', async () => {
  await create({ replicas: 3 });
  await api.client.mergePatch(Alertmanager, key, { spec: { paused: true, replicas: 5 } });
  await api.client.applyStatus(StatefulSet, ownKey, {
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 2,
    availableReplicas: 2,
  });
  await api.settle();
  expect((await api.client.get(StatefulSet, ownKey)).spec?.replicas).toBe(3);
  expect((await api.client.get(Alertmanager, key)).status).toMatchObject({
    paused: true,
    replicas: 3,
    updatedReplicas: 3,
    availableReplicas: 2,
    unavailableReplicas: 1,
  });
});

it('puts its configuration right', async () => {
  await create();
  const generated = { namespace, name: 'alertmanager-main-generated' };
  await api.client.patch(Secret, generated, {
    type: 'merge',
    body: { data: { 'alertmanager.yaml': 'e30=' } },
  });
  await api.settle();
  expect(await receivers()).toEqual(['null']);
});
