import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  defineController,
  ownedBy,
  requeueAfter,
  type OpSdkError,
  type ReconcileContext,
} from '../../../../src/index.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually, type ControlPlane } from '../../../../src/testing/index.ts';
import { uniqueNamespace } from '../../../helpers/control-plane.ts';
import { get, runManager } from './running-manager.ts';
import { Site, startSitePlane } from './site.ts';
import { slow, siteController } from './site-controller.ts';

let plane: ControlPlane;
let client: KubeClient;
beforeAll(async () => {
  ({ plane, client } = await startSitePlane());
});
afterAll(async () => {
  await client.close();
  await plane.stop();
});

describe('start', () => {
  test('without permission ends with the verb, the kind and what to do; readyz says so meanwhile', async () => {
    const { path } = await plane.userKubeconfig('nobody');
    const running = await runManager(
      { kubeconfig: path, cacheSyncTimeout: '3s' },
      siteController('forbidden'),
    );
    await eventually(async () => {
      const ready = await get(running.ports.health, '/readyz');
      expect(ready.status).toBe(500);
      expect(ready.text).toMatch(/\[-\]caches failed: not synced: .*cannot (list|watch) resource "sites"/);
    }, slow);
    expect((await get(running.ports.health, '/healthz')).status).toBe(200);
    const error = await running.ended.then(
      () => undefined,
      (reason: OpSdkError) => reason,
    );
    expect(error?.findings.map((f) => f.message)).toEqual([
      expect.stringMatching(
        /sites\.v1\.web\.example\.com within 3 s: .*User "nobody" cannot (list|watch) resource "sites"/,
      ),
      expect.stringMatching(/deployments\.v1\.apps within 3 s: .*cannot (list|watch) resource "deployments"/),
    ]);
    expect(error?.findings[1]?.fix).toEqual([
      'allow list and watch of deployments in API group apps: run op-sdk generate manifests and apply config/rbac',
    ]);
  });

  test('without the CRD names the CRD', async () => {
    const Missing = { ...Site, plural: 'missings', kind: 'Missing' };
    const controller = defineController({ name: 'no-crd', for: Missing, reconcile: () => undefined });
    const running = await runManager({ kubeconfig: plane.kubeconfig, cacheSyncTimeout: '2s' }, controller);
    await expect(running.ended).rejects.toMatchObject({
      findings: [
        {
          code: 'runtime/cache-not-synced',
          fix: [expect.stringContaining('CustomResourceDefinition of Missing')],
        },
      ],
    });
  });

  test('can be called off', async () => {
    const { path } = await plane.userKubeconfig('nobody');
    const running = await runManager({ kubeconfig: path }, siteController('called-off'));
    await eventually(async () => (await get(running.ports.health, '/readyz')).status === 500);
    await running.stop();
  });
});

test('after reconcileTimeout the client of the run makes no more requests; the retry does', async () => {
  const namespace = await uniqueNamespace(plane);
  const errors: unknown[] = [];
  const controller = defineController({
    name: 'too-long',
    for: Site,
    reconcileTimeout: '5s',
    async reconcile({ metadata }, ctx) {
      const status = { observed: String(ctx.attempt) };
      if (ctx.attempt === 1) await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
      await ctx.client
        .patch(Site, ctx.key, { type: 'merge', body: { metadata: { annotations: status } } })
        .catch((error: unknown) => {
          errors.push(error);
          throw error;
        });
      expect(metadata.name).toBe('a');
    },
  });
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
    controller,
  );
  await client.create(Site, { metadata: { name: 'a', namespace }, spec: {} });
  await eventually(async () => {
    const { annotations } = (await client.get(Site, { name: 'a', namespace })).metadata;
    expect(annotations?.['observed']).toBe('2');
  }, slow);
  expect(errors).toMatchObject([{ findings: [{ code: 'runtime/reconcile-timeout' }] }]);
  expect(running.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { msg: 'Reconciler error', attempt: 1, error: { findings: [{ code: 'runtime/reconcile-timeout' }] } },
  ]);
  expect((await get(running.ports.metrics, '/metrics')).text).toContain(
    'controller_runtime_reconcile_timeouts_total{controller="too-long"} 1\n',
  );
  await running.stop();
});

describe('stop', () => {
  test('lets running reconciles end, starts no others, and does not abort them', async () => {
    const namespace = await uniqueNamespace(plane);
    const { promise: release, resolve: letGo } = promiseWithResolver();
    const log: string[] = [];
    const controller = defineController({
      name: 'draining',
      for: Site,
      async reconcile(site, { client: own, signal }) {
        log.push(`begin ${site.metadata.name}`);
        await release;
        await own.apply(ConfigMap, {
          metadata: { name: 'last', ...ownedBy(site) },
          data: { aborted: String(signal.aborted) },
        });
        log.push('end');
        return requeueAfter('1ms');
      },
    });
    const running = await runManager({ kubeconfig: plane.kubeconfig, namespaces: [namespace] }, controller);
    await client.create(Site, { metadata: { name: 'a', namespace }, spec: {} });
    await client.create(Site, { metadata: { name: 'b', namespace }, spec: {} });
    await eventually(() => log.length > 0, slow);
    const stopped = running.stop();
    await eventually(() => running.lines.some((l) => l.msg === 'Stopping'));
    expect((await get(running.ports.health, '/healthz')).status).toBe(200);
    letGo();
    await stopped;
    expect(log).toHaveLength(2);
    expect((await client.get(ConfigMap, { name: 'last', namespace })).data).toEqual({ aborted: 'false' });
    await expect(get(running.ports.health, '/healthz')).rejects.toThrow();
  });

  test('aborts what does not end in time, and says what it was', async () => {
    const namespace = await uniqueNamespace(plane);
    let context: ReconcileContext | undefined;
    const controller = defineController({
      name: 'stuck',
      for: Site,
      async reconcile(_, ctx) {
        context = ctx;
        await new Promise(() => undefined);
      },
    });
    const options = {
      kubeconfig: plane.kubeconfig,
      namespaces: [namespace],
      gracefulShutdownTimeout: '200ms' as const,
    };
    const running = await runManager(options, controller);
    await client.create(Site, { metadata: { name: 'a', namespace }, spec: {} });
    await eventually(() => context !== undefined, slow);
    await expect(running.stop()).rejects.toThrow(
      `runtime/drain-timeout] still running after 0.2 s: reconcile of Site ${namespace}/a`,
    );
    expect(context?.signal.aborted).toBe(true);
  });

  test('is what the failure of a runnable causes', async () => {
    const runnable = {
      name: 'broken',
      run: async () => {
        await sleep(50);
        throw new Error('the runnable broke');
      },
    };
    const running = await runManager({ kubeconfig: plane.kubeconfig }, runnable, siteController('bystander'));
    await expect(running.ended).rejects.toThrow('the runnable broke');
  });
});

function promiseWithResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
