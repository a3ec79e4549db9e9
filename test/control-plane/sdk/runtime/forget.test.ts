// `forget` is called for what leaves the cache of a real API server, however it leaves.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cached, createManager, defineController } from '../../../../src/index.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { memoryLog } from '../../../unit/sdk/runtime/memory-log.ts';
import { slow } from './site-controller.ts';

let server: KubeClient;
let plane: SharedControlPlane;
beforeAll(async () => {
  plane = await sharedControlPlane();
  server = createClient({ cluster: await loadCluster(plane), fieldManager: 'test' });
});
afterAll(() => server.close());

const labels = { watched: 'yes' };

/** A manager of two namespaces whose controller writes down what it reconciles and forgets; its predicates reject every deletion. */
async function start() {
  const namespaces = [await uniqueNamespace(plane), await uniqueNamespace(plane)] as const;
  const calls: string[] = [];
  const manager = await createManager({
    name: 'forgetting',
    health: '0',
    kubeconfig: plane.kubeconfig,
    namespaces: [...namespaces],
    cache: [cached(ConfigMap, { labelSelector: 'watched=yes' })],
    log: memoryLog().log,
  });
  manager.add(
    defineController({
      for: ConfigMap,
      predicates: [({ type }) => type !== 'delete'],
      reconcile: ({ metadata }) => void calls.push(`reconcile ${metadata.name}`),
      forget: ({ name }) => void calls.push(`forget ${name}`),
    }),
  );
  const stop = new AbortController();
  const ended = manager.run({ signal: stop.signal });
  ended.catch(() => undefined);
  return {
    manager,
    namespaces,
    create: async (name: string, namespace: string = namespaces[0]) => {
      await server.create(ConfigMap, { metadata: { name, namespace, labels } });
      await eventually(() => calls.includes(`reconcile ${name}`), slow);
    },
    forgets: (name: string) =>
      eventually(() => calls.filter((call) => call === `forget ${name}`).length === 1, slow),
    calls,
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the test ends'));
      await ended.catch(() => undefined);
    },
  };
}

test('an object that was deleted, that lost the label of the cache, or whose namespace is no longer watched', async () => {
  await using op = await start();
  const { namespaces } = op;
  for (const name of ['kept', 'deleted', 'unlabelled']) await op.create(name);
  await op.create('elsewhere', namespaces[1]);
  await server.delete(ConfigMap, { name: 'deleted', namespace: namespaces[0] });
  await op.forgets('deleted');
  const key = { name: 'unlabelled', namespace: namespaces[0] };
  await server.patch(ConfigMap, key, { type: 'merge', body: { metadata: { labels: { watched: null } } } });
  await op.forgets('unlabelled');
  await op.manager.setNamespaces([namespaces[0]]);
  await op.forgets('elsewhere');
  // The same namespace by a list of all: its object is listed again, and not forgotten meanwhile.
  await op.manager.setNamespaces(undefined);
  await op.create('last');
  await server.delete(ConfigMap, { name: 'last', namespace: namespaces[0] });
  await op.forgets('last');
  expect(op.calls.filter((call) => call.startsWith('forget')).sort()).toEqual([
    'forget deleted',
    'forget elsewhere',
    'forget last',
    'forget unlabelled',
  ]);
});

test('an object that was replaced by one of the same name, before its successor is reconciled', async () => {
  await using op = await start();
  await op.create('twin');
  const key = { name: 'twin', namespace: op.namespaces[0] };
  await server.delete(ConfigMap, key);
  await server.create(ConfigMap, { metadata: { ...key, labels } });
  await eventually(() => op.calls.length >= 3, slow);
  expect(op.calls).toEqual(['reconcile twin', 'forget twin', 'reconcile twin']);
});
