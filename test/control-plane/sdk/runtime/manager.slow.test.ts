import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineController, isConflict, ownedBy, watch, type OpSdkError } from '../../../../src/index.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { ConfigMap, Namespace, Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually, type ControlPlane } from '../../../../src/testing/index.ts';
import { uniqueNamespace } from '../../../helpers/control-plane.ts';
import { get, runManager } from './running-manager.ts';
import { Site, startSitePlane } from './site.ts';
import { slow, siteController, reconciles, untilQuiet } from './site-controller.ts';

let plane: ControlPlane;
let client: KubeClient;
beforeAll(async () => {
  ({ plane, client } = await startSitePlane());
});
afterAll(async () => {
  await client.close();
  await plane.stop();
});

describe('a controller that owns a Deployment', () => {
  test('creates it, heals it, follows the spec, rests when all is well, and logs when the object is gone', async () => {
    const namespace = await uniqueNamespace(plane);
    const key = { name: 'shop', namespace };
    await using running = await runManager({ kubeconfig: plane.kubeconfig }, siteController('owner'));

    const site = await client.create(Site, { metadata: key, spec: { replicas: 2 } });
    const first = await eventually(() => client.get(Deployment, key), slow);
    expect(first.spec?.replicas).toBe(2);
    expect(first.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'web.example.com/v1',
        kind: 'Site',
        name: 'shop',
        uid: site.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(first.metadata.managedFields?.map((f) => f.manager)).toContain('test-operator/owner');

    await client.delete(Deployment, key);
    const second = await eventually(async () => {
      const found = await client.get(Deployment, key);
      return found.metadata.uid !== first.metadata.uid && found;
    }, slow);
    expect(second.spec?.replicas).toBe(2);

    await client.patch(Deployment, key, { type: 'merge', body: { spec: { replicas: 5 } } });
    await eventually(async () => (await client.get(Deployment, key)).spec?.replicas === 2, slow);

    await client.patch(Site, key, { type: 'merge', body: { spec: { replicas: 0 } } });
    await eventually(async () => (await client.get(Deployment, key)).spec?.replicas === 0, slow);
    await client.patch(Site, key, { type: 'merge', body: { spec: { replicas: null } } });
    await eventually(async () => (await client.get(Deployment, key)).spec?.replicas === 1, slow);

    const count = await untilQuiet('owner');
    const resting = await client.get(Deployment, key);
    await sleep(2000);
    expect(await reconciles('owner')).toBe(count);
    expect((await client.get(Deployment, key)).metadata.resourceVersion).toBe(
      resting.metadata.resourceVersion,
    );
    expect((await client.get(Site, key)).status?.conditions).toEqual([
      expect.objectContaining({ type: 'Available', reason: 'Counted', observedGeneration: 3 }),
    ]);

    await client.delete(Site, key);
    await eventually(async () => (await client.find(Deployment, key)) === undefined, slow);
    await eventually(() => {
      expect(running.lines).toContainEqual(
        expect.objectContaining({
          level: 'debug',
          msg: 'Object not found; skipping reconcile',
          controller: 'owner',
          kind: 'Site',
          namespace,
          name: 'shop',
        }),
      );
    });
    expect(running.lines.filter((l) => l.level === 'error')).toEqual([]);
    await running.stop();
  });

  test('goes on when the API server was killed', async () => {
    const namespace = await uniqueNamespace(plane);
    await using running = await runManager({ kubeconfig: plane.kubeconfig }, siteController('survivor'));
    const key = { name: 'before', namespace };
    await client.create(Site, { metadata: key, spec: { replicas: 1 } });
    await eventually(() => client.get(Deployment, key), slow);
    await untilQuiet('survivor');

    await plane.killApiServer('SIGKILL');
    await eventually(() => running.lines.some((l) => l.msg === 'Failed to list and watch'), slow);
    await plane.restartApiServer();

    await eventually(() => client.patch(Site, key, { type: 'merge', body: { spec: { replicas: 4 } } }), slow);
    await eventually(async () => (await client.get(Deployment, key)).spec?.replicas === 4, {
      timeout: 90_000,
    });
    await client.delete(Deployment, key);
    await eventually(() => client.get(Deployment, key), { timeout: 90_000 });
    // One warning when a kind is lost, however often it is tried, and one line when it is back.
    const said = (msg: string, level: string) =>
      running.lines.filter((line) => line.msg === msg && line.level === level);
    await eventually(() => {
      const back = said('Listing and watching again', 'info');
      expect(new Set(back.map((line) => line['resource'])).size).toBe(2);
      expect(said('Failed to list and watch', 'warn')).toHaveLength(back.length);
    }, slow);
    const warnings = said('Failed to list and watch', 'warn');
    for (const warning of warnings) expect(warning).not.toHaveProperty('error');
    await running.stop();
  }, 240_000);
});

test('a watch maps other objects to keys, with reads from the cache', async () => {
  const namespace = await uniqueNamespace(plane);
  const seen: string[] = [];
  const controller = defineController({
    name: 'watcher',
    for: Site,
    watches: [
      watch(Secret, {
        map: async (secret, { client: cached }) => {
          const sites = await cached.list(Site, { namespace: secret.metadata.namespace ?? '' });
          return sites.items
            .filter((site) => site.spec.secretName === secret.metadata.name)
            .map((site) => site.metadata);
        },
      }),
    ],
    async reconcile(site, { client: cached }) {
      const name = site.spec.secretName ?? '';
      const secret = await cached.find(Secret, { name, namespace });
      seen.push(`${site.metadata.name}: ${secret?.data?.['word'] ?? 'none'}`);
      await expect(cached.find(ConfigMap, { name, namespace })).rejects.toThrow(/undeclared-kind/);
      expect(await cached.live.find(ConfigMap, { name: 'kube-root-ca.crt', namespace })).toBeDefined();
    },
  });
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
    controller,
  );
  await client.create(Site, { metadata: { name: 'a', namespace }, spec: { secretName: 's' } });
  await client.create(Site, { metadata: { name: 'b', namespace }, spec: { secretName: 'other' } });
  await client.create(Site, {
    metadata: { name: 'elsewhere', namespace: 'default' },
    spec: { secretName: 's' },
  });
  await eventually(() => expect([...seen].sort()).toEqual(['a: none', 'b: none']), slow);
  await client.create(Secret, { metadata: { name: 's', namespace }, data: { word: 'aGk=' } });
  await eventually(() => expect(seen.slice(2)).toEqual(['a: aGk=']), slow);
  await client.delete(Site, { name: 'elsewhere', namespace: 'default' });
  await running.stop();
});

test('AS3.i: a conflict is tried again, not fatal', async () => {
  const namespace = await uniqueNamespace(plane);
  const errors: unknown[] = [];
  const controller = defineController({
    name: 'conflicting',
    for: ConfigMap,
    async reconcile(map, { client: own }) {
      if (map.data?.['done'] !== undefined) return;
      if (errors.length === 0) {
        // Someone else is faster.
        await client.patch(ConfigMap, map.metadata, { type: 'merge', body: { data: { other: 'x' } } });
      }
      try {
        await own.update(ConfigMap, { ...map, data: { ...map.data, done: 'yes' } });
      } catch (error) {
        errors.push(error);
        throw error;
      }
    },
  });
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
    controller,
  );
  await client.create(ConfigMap, { metadata: { name: 'c', namespace }, data: {} });
  await eventually(async () => {
    expect((await client.get(ConfigMap, { name: 'c', namespace })).data).toEqual({ done: 'yes', other: 'x' });
  }, slow);
  expect(errors.every((error) => isConflict(error))).toBe(true);
  expect(errors.length).toBeGreaterThan(0);
  expect(running.lines).toContainEqual(
    expect.objectContaining({
      level: 'info',
      msg: 'Conflict; reconciling again',
      controller: 'conflicting',
      namespace,
      name: 'c',
      attempt: 1,
      reason: expect.stringContaining('the object has been modified'),
    }),
  );
  await running.stop();
});

test('owners in other namespaces and of cluster-scoped objects are refused before the write', async () => {
  const namespace = await uniqueNamespace(plane);
  const messages: string[] = [];
  const controller = defineController({
    name: 'crossing',
    for: Site,
    async reconcile(site, { client: own }) {
      const owned = ownedBy(site);
      for (const write of [
        () => own.apply(ConfigMap, { metadata: { name: 'x', ...owned, namespace: 'default' } }),
        () => own.create(Namespace, { metadata: { name: 'never', ownerReferences: owned.ownerReferences } }),
      ]) {
        messages.push(
          await write().then(
            () => 'written',
            (error: OpSdkError) => error.code,
          ),
        );
      }
    },
  });
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
    controller,
  );
  await client.create(Site, { metadata: { name: 'a', namespace }, spec: {} });
  await eventually(() => expect(messages).toEqual(['runtime/owner-scope', 'runtime/owner-scope']), slow);
  expect(await client.find(ConfigMap, { name: 'x', namespace: 'default' })).toBeUndefined();
  await running.stop();
});

test('metrics are served with the reconciles of a controller and the requests', async () => {
  const namespace = await uniqueNamespace(plane);
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
    siteController('measured'),
  );
  await client.create(Site, { metadata: { name: 'a', namespace }, spec: { replicas: 1 } });
  await eventually(() => client.get(Deployment, { name: 'a', namespace }), slow);
  await eventually(async () => {
    const { status, text } = await get(running.ports.metrics, '/metrics');
    expect(status).toBe(200);
    expect(text).toMatch(
      /controller_runtime_reconcile_total\{controller="measured",result="success"\} [1-9]/,
    );
    expect(text).toMatch(/workqueue_adds_total\{name="measured",controller="measured"\} [1-9]/);
    expect(text).toMatch(
      /rest_client_requests_total\{code="201",method="PATCH",host="127\.0\.0\.1:\d+"\} [1-9]/,
    );
    expect(text).toMatch(/process_cpu_seconds_total /);
  });
  expect((await get(running.ports.health, '/readyz')).text).toBe('ok');
  await running.stop();
});
