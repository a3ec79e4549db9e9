// The controller on a real API server: etcd and kube-apiserver, without a cluster behind them.
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { ConfigMap, Namespace } from 'opsdk/k8s/core/v1';
import { Event } from 'opsdk/k8s/events/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configMapController, SELECTOR, SOURCE } from '../../../src/controllers/core/config-map.ts';

const key = { namespace: 'default', name: 'ca' };
const stop = new AbortController();
let controlPlane: ControlPlane;
/** The administrator, who does what users of the operator do. */
let client: ClusterClient;
let running: Promise<void>;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  const cluster = await loadCluster({ kubeconfig: controlPlane.kubeconfig });
  client = createClusterClient({ cluster, fieldManager: 'test' });
  const manager = await createManager({
    name: 'namespace-sync',
    // Under `op-sdk rbac audit` the operator has the rights of its own role here.
    kubeconfig: controlPlane.operatorKubeconfig,
    health: '0',
    logLevel: 'fatal',
  });
  manager.add(configMapController);
  for (const [name, ca] of Object.entries({ web: 'yes', shop: 'yes', lab: 'no' }))
    await client.create(Namespace, { metadata: { name, labels: { ca } } });
  running = manager.run({ signal: stop.signal });
}, 600_000);

afterAll(async () => {
  stop.abort();
  await running;
  await client?.close();
  await controlPlane?.stop();
});

async function copies(): Promise<Record<string, string | undefined>> {
  const { items } = await client.list(ConfigMap, { fieldSelector: 'metadata.name=ca' });
  const others = items.filter(({ metadata }) => metadata.namespace !== key.namespace);
  return Object.fromEntries<string | undefined>(
    others.map(({ metadata, data }) => [metadata.namespace ?? '', data?.['ca.crt']]),
  );
}

async function warnings(): Promise<readonly (string | undefined)[]> {
  const { items } = await client.list(Event, { namespace: key.namespace });
  return items.filter(({ type }) => type === 'Warning').map(({ reason }) => reason);
}

const change = (namespace: string, body: object) =>
  client.patch(ConfigMap, { ...key, namespace }, { type: 'merge', body });
const relabel = (name: string, ca: string) =>
  client.patch(Namespace, { name }, { type: 'merge', body: { metadata: { labels: { ca } } } });

it('copies a source to the namespaces that it selects', async () => {
  const metadata = { ...key, labels: { [SOURCE]: 'true' }, annotations: { [SELECTOR]: 'ca=yes' } };
  await client.create(ConfigMap, { metadata, data: { 'ca.crt': 'A' } });
  await eventually(async () => expect(await copies()).toEqual({ shop: 'A', web: 'A' }));
});

it('follows the source', async () => {
  await change(key.namespace, { data: { 'ca.crt': 'B' } });
  await eventually(async () => expect(await copies()).toEqual({ shop: 'B', web: 'B' }));
});

it('puts a copy back that somebody changes or deletes', async () => {
  await change('web', { data: { 'ca.crt': 'X' } });
  await client.delete(ConfigMap, { ...key, namespace: 'shop' });
  await eventually(async () => expect(await copies()).toEqual({ shop: 'B', web: 'B' }));
});

it('follows the labels of the namespaces', async () => {
  await relabel('lab', 'yes');
  await relabel('shop', 'no');
  await eventually(async () => expect(await copies()).toEqual({ lab: 'B', web: 'B' }));
});

it('leaves a ConfigMap of another origin as it is, and warns', async () => {
  await client.create(ConfigMap, {
    metadata: { ...key, namespace: 'shop' },
    data: { 'ca.crt': 'own' },
  });
  await relabel('shop', 'yes');
  await eventually(async () => expect(await warnings()).toContain('NameTaken'));
  expect(await copies()).toEqual({ lab: 'B', shop: 'own', web: 'B' });
});

it('warns about an invalid selector, and keeps the copies', async () => {
  await change(key.namespace, { metadata: { annotations: { [SELECTOR]: 'ca in yes' } } });
  await eventually(async () => expect(await warnings()).toContain('InvalidSelector'));
  expect(await copies()).toEqual({ lab: 'B', shop: 'own', web: 'B' });
});

it('deletes the copies of what is no longer a source', async () => {
  await change(key.namespace, { metadata: { labels: { [SOURCE]: null } } });
  await eventually(async () => expect(await copies()).toEqual({ shop: 'own' }));
});

it('deletes the copies when the source is deleted', async () => {
  const metadata = { labels: { [SOURCE]: 'true' }, annotations: { [SELECTOR]: 'ca=yes' } };
  await change(key.namespace, { metadata });
  await eventually(async () => expect(await copies()).toEqual({ lab: 'B', shop: 'own', web: 'B' }));
  await client.delete(ConfigMap, key);
  await eventually(async () => expect(await copies()).toEqual({ shop: 'own' }));
  await eventually(async () => expect(await client.find(ConfigMap, key)).toBeUndefined());
});

it('touches no other ConfigMap', async () => {
  const { items } = await client.list(ConfigMap);
  expect(items.flatMap(({ metadata }) => metadata.finalizers ?? [])).toEqual([]);
});
