// What an observer of reconciles gets to see of a running operator: which change or source led to a run, and its requests.
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createClusterClient,
  defineController,
  every,
  from,
  loadCluster,
  ownedBy,
  watch,
  type ClusterClient,
  type ReconcileObservation,
} from '../../../../src/index.ts';
import { ConfigMap, Secret, ServiceAccount } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { runManager } from './running-manager.ts';

let plane: SharedControlPlane;
let client: ClusterClient;
beforeAll(async () => {
  plane = await sharedControlPlane();
  const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
  client = createClusterClient({ cluster, fieldManager: 'test' });
}, 120_000);
afterAll(() => client.close());

test('an observer learns which change or source led to each run, and how many requests it made', async () => {
  const namespace = await uniqueNamespace(plane);
  const key = { name: 'main', namespace };
  let tell: (() => void) | undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  const seen: ReconcileObservation[] = [];
  const controller = defineController({
    name: 'observed-triggers',
    for: ConfigMap,
    owns: [ServiceAccount],
    watches: [
      watch(Secret, { map: () => [key] }),
      every('300ms', () => [key]),
      from(
        'orders',
        async function* (signal) {
          await told;
          if (!signal.aborted) yield 1;
        },
        () => [key],
      ),
    ],
    reconcile: async (object, ctx) => {
      if (object.metadata.name !== key.name) return;
      await ctx.client.apply(ServiceAccount, { metadata: { ...key, ...ownedBy(object) } });
    },
  });
  await using _running = await runManager(
    {
      kubeconfig: plane.kubeconfig,
      namespaces: [namespace],
      metrics: '0',
      onReconcile: (observation) => {
        if (observation.key.name === key.name) seen.push(observation);
      },
    },
    controller,
  );
  const observed = async (trigger: object): Promise<ReconcileObservation> =>
    eventually(
      () => {
        const found = seen.find(({ trigger: each }) => isDeepStrictEqual({ ...each, ...trigger }, each));
        expect(found, JSON.stringify(seen.map((each) => each.trigger))).toBeDefined();
        return found;
      },
      { timeout: 60_000 },
    ) as Promise<ReconcileObservation>;

  await client.create(ConfigMap, { metadata: key });
  const first = await observed({ type: 'for', source: 'ConfigMap', event: 'create', object: key });
  expect(first).toMatchObject({ controller: 'observed-triggers', key, requests: 1, result: 'success' });
  await client.delete(ServiceAccount, key);
  const deleted = await observed({ type: 'owns', source: 'ServiceAccount', event: 'delete', object: key });
  expect(deleted.requests).toBe(1);
  const idle = await observed({ type: 'every', source: 'every 300ms' });
  expect(idle.duration).toBeGreaterThanOrEqual(0);
  await client.create(Secret, { metadata: { name: 'x', namespace } });
  await observed({ type: 'watch', source: 'Secret' });
  tell?.();
  await observed({ type: 'from', source: 'orders' });
  // A run that changes nothing asks nothing.
  await eventually(() => expect(seen.at(-1)).toMatchObject({ requests: 0, nextTry: undefined }));
});
