// What the metrics say of caches and watches of a real API server, and of the way to it when it breaks.
import { afterEach, beforeAll, expect, test } from 'vitest';
import {
  cached,
  createClusterClient,
  defineController,
  loadCluster,
  metadataOnly,
  watch,
  type ClusterClient,
} from '../../../../src/index.ts';
import { ConfigMap, Secret, ServiceAccount } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { tcpProxy, type TcpProxy } from '../kube/support/tcp-proxy.ts';
import { get, runManager, type RunningManager } from './running-manager.ts';

const slow = { timeout: 60_000 };

let plane: SharedControlPlane;
let client: ClusterClient;
let proxy: TcpProxy;
let namespace: string;

beforeAll(async () => {
  plane = await sharedControlPlane();
}, 120_000);

afterEach(async () => {
  await client.close();
  await proxy.close();
});

/** An operator that reaches the API server through a proxy, and caches ConfigMaps, parts of Secrets, and metadata of ServiceAccounts. */
async function run(): Promise<RunningManager> {
  const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
  client = createClusterClient({ cluster, fieldManager: 'test' });
  proxy = await tcpProxy(cluster);
  namespace = await uniqueNamespace(plane);
  return runManager(
    {
      kubeconfig: plane.kubeconfig,
      cluster: proxy.cluster,
      namespaces: [namespace],
      cache: [
        // Without the certificate that each namespace has.
        cached(ConfigMap, { labelSelector: 'app=web' }),
        cached(Secret, { transform: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }) }),
      ],
    },
    defineController({
      for: ConfigMap,
      watches: [watch(Secret, { map: () => [] }), watch(metadataOnly(ServiceAccount), { map: () => [] })],
      reconcile: () => undefined,
    }),
  );
}

/** Values of a metric by kind. */
async function metric({ ports }: RunningManager, name: string): Promise<Readonly<Record<string, number>>> {
  const { text } = await get(ports.metrics, '/metrics');
  const series = text.matchAll(new RegExp(`^opsdk_${name}\\{kind="([^"]+)"\\} (\\S+)$`, 'gm'));
  return Object.fromEntries([...series].map(([, kind = '', value]) => [kind, Number(value)]));
}

const configMap = (name: string, text: string) => ({
  metadata: { name, namespace, labels: { app: 'web' } },
  data: { text },
});

/** Length of the JSON of all ConfigMaps of the operator, without the fields that no cache keeps. */
async function bytesOfConfigMaps(): Promise<number> {
  const { items } = await client.list(ConfigMap, { namespace, labelSelector: 'app=web' });
  const texts = items.map(({ metadata: { managedFields: _, ...metadata }, ...rest }) =>
    JSON.stringify({ ...rest, metadata }),
  );
  return texts.reduce((sum, { length }) => sum + length, 0);
}

test('objects and bytes are those that the caches hold, whatever the API server has sent', async () => {
  await using running = await run();
  await eventually(async () => {
    expect(await metric(running, 'cache_objects')).toEqual({
      ...{ 'configmaps.v1': 0, 'secrets.v1': 0, 'serviceaccounts.v1': 1 },
    });
  }, slow);
  for (const name of ['a', 'b', 'c']) await client.create(ConfigMap, configMap(name, name.repeat(1000)));
  const labels = { app: 'web' };
  await client.create(Secret, {
    metadata: { name: 's', namespace, labels },
    stringData: { x: 'x'.repeat(50_000) },
  });
  const matches = async (objects: number): Promise<void> =>
    eventually(async () => {
      expect((await metric(running, 'cache_objects'))['configmaps.v1']).toBe(objects);
      expect((await metric(running, 'cache_bytes'))['configmaps.v1']).toBe(await bytesOfConfigMaps());
    }, slow);
  await matches(3);
  await client.update(ConfigMap, {
    ...(await client.get(ConfigMap, { namespace, name: 'a' })),
    data: { text: 'shorter' },
  });
  await matches(3);
  await client.delete(ConfigMap, { namespace, name: 'b' });
  await matches(2);
  const bytes = await metric(running, 'cache_bytes');
  expect(bytes['secrets.v1']).toBeGreaterThan(100);
  expect(bytes['secrets.v1']).toBeLessThan(1000);
  expect(bytes['serviceaccounts.v1']).toBeLessThan(1000);
}, 120_000);

test('a watch that breaks is interrupted until it is established again, which is a restart', async () => {
  await using running = await run();
  const kinds = (value: unknown) => ({
    ...{ 'configmaps.v1': value, 'secrets.v1': value, 'serviceaccounts.v1': value },
  });
  await eventually(async () => expect(await metric(running, 'cache_synced')).toEqual(kinds(1)), slow);
  expect(await metric(running, 'watch_restarts_total')).toEqual(kinds(0));
  expect(await metric(running, 'watch_interrupted_seconds')).toEqual(kinds(0));
  proxy.refuse(true);
  proxy.cut();
  await eventually(async () => {
    const { 'configmaps.v1': configMaps = 0, 'secrets.v1': secrets = 0 } = await metric(
      running,
      'watch_interrupted_seconds',
    );
    expect(Math.min(configMaps, secrets)).toBeGreaterThan(1);
  }, slow);
  expect(await metric(running, 'cache_synced')).toEqual(kinds(1));
  expect(await metric(running, 'watch_restarts_total')).toEqual(kinds(0));
  proxy.refuse(false);
  await eventually(
    async () => expect(await metric(running, 'watch_interrupted_seconds')).toEqual(kinds(0)),
    slow,
  );
  expect(await metric(running, 'watch_restarts_total')).toEqual(kinds(1));
  proxy.cut();
  await eventually(async () => expect(await metric(running, 'watch_restarts_total')).toEqual(kinds(2)), slow);
  await client.create(ConfigMap, configMap('after', 'x'));
  await eventually(
    async () => expect((await metric(running, 'cache_objects'))['configmaps.v1']).toBe(1),
    slow,
  );
}, 180_000);
