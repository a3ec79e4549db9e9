import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineController } from '../../../../src/index.ts';
import { ConfigMap, Event as CoreEvent, Namespace } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { Event } from '../../../../src/sdk/k8s/generated/events/v1.ts';
import { ClusterRole } from '../../../../src/sdk/k8s/generated/rbac/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { runManager } from './running-manager.ts';
import { slow } from './site-controller.ts';

let plane: SharedControlPlane;
let client: KubeClient;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
});
afterAll(() => client.close());

test('Events of a controller are found by its object as kubectl describe looks for them, and count repetitions', async () => {
  const namespace = await uniqueNamespace(plane);
  const role = await client.create(ClusterRole, { metadata: { name: `test:${uniqueName()}` }, rules: [] });
  const controller = defineController({
    name: 'eventful',
    for: ConfigMap,
    reconcile(map, { events }) {
      if (map.metadata.name !== 'c') return;
      events.normal('Counted', `${'x'.repeat(2000)}`, { action: 'Count', related: role });
      for (let i = 0; i < 7; i++) events.warning('TooFew', 'expected more');
      events.about(role).normal('Seen', 'from a namespace');
      events.normal('not camel case', 'never written');
    },
  });
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
    controller,
  );
  const map = await client.create(ConfigMap, { metadata: { name: 'c', namespace }, data: {} });
  const { uid } = map.metadata;
  // Source: kubectl `describe`, which looks for Events of the core group.
  const fieldSelector = `involvedObject.kind=ConfigMap,involvedObject.name=c,involvedObject.namespace=${namespace},involvedObject.uid=${uid}`;
  const found = await eventually(async () => {
    const { items } = await client.list(CoreEvent, { namespace, fieldSelector });
    expect(items).toHaveLength(2);
    return items.sort((a, b) => (a.reason ?? '').localeCompare(b.reason ?? ''));
  }, slow);
  expect(found).toMatchObject([
    { type: 'Normal', reason: 'Counted', message: `${'x'.repeat(1021)}…`, related: { kind: 'ClusterRole' } },
    {
      type: 'Warning',
      reason: 'TooFew',
      message: 'expected more',
      reportingComponent: 'test-operator/eventful',
    },
  ]);

  // The second reconcile repeats all of them.
  await client.patch(ConfigMap, map.metadata, { type: 'merge', body: { data: { a: 'b' } } });
  const events = await eventually(async () => {
    const { items } = await client.list(Event, { namespace });
    const own = items.filter((event) => event.regarding?.uid === uid);
    expect(own.find((event) => event.reason === 'Counted')?.series?.count).toBe(2);
    return own;
  }, slow);
  expect(events.find((event) => event.reason === 'TooFew')?.series?.count).toBe(7);
  expect(events[0]).toMatchObject({
    eventTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    reportingController: 'test-operator/eventful',
    reportingInstance: expect.stringMatching(/./),
  });
  await eventually(async () => {
    const { items } = await client.list(Event, { namespace: 'default' });
    expect(items.filter((event) => event.regarding?.uid === role.metadata.uid)).toMatchObject([
      { reason: 'Seen', regarding: { kind: 'ClusterRole', name: role.metadata.name }, series: { count: 2 } },
    ]);
  }, slow);

  // What is still a number in memory is written at the end.
  await running.stop();
  const counted = (await client.list(Event, { namespace })).items.find((event) => event.reason === 'TooFew');
  expect(counted?.series?.count).toBe(14);
  expect(running.lines.filter((line) => line.level === 'warn').map((line) => line['problem'])).toEqual([
    'reason: expected CamelCase of 1 to 128 characters, got "not camel case"',
  ]);
  await client.delete(ClusterRole, role.metadata);
});

test('Events that the API server refuses fail no reconcile: of a namespace that is being deleted', async () => {
  const namespace = await uniqueNamespace(plane);
  const reconciled: string[] = [];
  const controller = defineController({
    name: 'terminating',
    for: ConfigMap,
    reconcile(map, { events }) {
      if (map.metadata.deletionTimestamp === undefined || map.metadata.name !== 'c') return;
      events.normal('Deleting', 'never written');
      reconciled.push(map.metadata.name);
    },
  });
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
    controller,
  );
  const key = { name: 'c', namespace };
  await client.create(ConfigMap, { metadata: { ...key, finalizers: ['example.com/wait'] } });
  await client.delete(Namespace, { name: namespace });
  await eventually(() => expect(reconciled).not.toEqual([]), slow);
  await client.patch(ConfigMap, key, { type: 'merge', body: { metadata: { finalizers: null } } });
  await running.stop();
  expect(running.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
});
