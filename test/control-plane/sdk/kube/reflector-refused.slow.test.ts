import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createClient,
  isForbidden,
  isTypeNotServed,
  loadCluster,
  openConnection,
  type Connection,
  type KubeClient,
} from '../../../../src/sdk/kube/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { ConfigMap, Crd, Gizmo, Namespace } from './support/kinds.ts';
import { protocols } from './support/protocols.ts';
import { mirror, stopMirrors } from './support/mirror.ts';

afterEach(stopMirrors);

const gizmos = {
  metadata: { name: 'gizmos.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gizmos', singular: 'gizmo', kind: 'Gizmo', listKind: 'GizmoList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane.stop());

describe.each(protocols())('what a reflector cannot read, over %s', (protocol) => {
  let connection: Connection;
  let client: KubeClient;
  let namespace: string;
  let count = 0;
  beforeAll(async () => {
    connection = openConnection(await loadCluster({ kubeconfig: plane.kubeconfig }), { protocol });
    client = createClient({ connection, fieldManager: 'test' });
  });
  afterAll(() => connection.close());

  async function freshNamespace(): Promise<void> {
    count += 1;
    namespace = `${protocol}-${count}`;
    await client.create(Namespace, { metadata: { name: namespace } });
  }

  test('R21: says what RBAC lacks', async () => {
    const { path } = await plane.userKubeconfig('nobody');
    const other = openConnection(await loadCluster({ kubeconfig: path }), { protocol });
    const m = mirror(other, { resource: ConfigMap });
    await eventually(() => m.states.length > 0);
    expect(m.states[0]?.error).toSatisfy(isForbidden);
    expect(m.states[0]?.synced).toBe(false);
    expect(String(m.states[0]?.error)).toMatch(/(watch|list) configmaps: .*User "nobody" cannot/);
    await m.stop();
    await other.close();
  });

  test('R23: keeps what it knows while the server cannot convert the objects, and goes on when it can', async () => {
    await freshNamespace();
    const widgets = (converted: object): typeof gizmos => ({
      metadata: { name: 'widgets.example.com' },
      spec: {
        ...gizmos.spec,
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: ['v1', 'v2'].map((name) => ({
          name,
          served: true,
          storage: name === 'v1',
          schema: { openAPIV3Schema: { type: 'object' } },
        })),
        ...converted,
      },
    });
    const url = 'https://127.0.0.1:9/';
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url } };
    const none = { conversion: { strategy: 'None' } };
    const broken = { conversion: { strategy: 'Webhook', webhook } };
    await client.apply(Crd, widgets(none));
    const v1 = { apiVersion: 'example.com/v1', kind: 'Widget' };
    const Widget = await eventually(() => client.resourceOf(v1), { timeout: 30_000 });
    await eventually(() => client.create(Widget, { ...v1, metadata: { name: 'a', namespace } }));
    const WidgetV2 = await eventually(() =>
      client.resourceOf({ apiVersion: 'example.com/v2', kind: 'Widget' }),
    );
    const m = mirror(connection, { resource: WidgetV2, namespace, settings: { minWatchSeconds: 1 } });
    await eventually(() => expect(m.objects.size).toBe(1), { timeout: 30_000 });
    await client.apply(Crd, widgets(broken));
    await eventually(
      () =>
        client.list(WidgetV2, { namespace }).then(
          () => false,
          () => true,
        ),
      {
        timeout: 30_000,
      },
    );
    await eventually(() => m.states.some(({ error }) => error !== undefined), { timeout: 60_000 });
    expect([...m.objects.keys()]).toEqual(['a']);
    await client.apply(Crd, widgets(none));
    await eventually(() => client.create(Widget, { ...v1, metadata: { name: 'b', namespace } }), {
      timeout: 30_000,
    });
    await eventually(() => expect([...m.objects.keys()].sort()).toEqual(['a', 'b']), { timeout: 90_000 });
    expect(m.reflector.state).toEqual({ synced: true });
    await client.delete(Crd, { name: 'widgets.example.com' });
    await eventually(
      async () => expect(await client.find(Crd, { name: 'widgets.example.com' })).toBeUndefined(),
      {
        timeout: 30_000,
      },
    );
  });

  test('R22: waits for a type that is not installed yet', async () => {
    await freshNamespace();
    const m = mirror(connection, { resource: Gizmo, namespace });
    await eventually(() => m.states.length > 0);
    expect(m.states[0]?.error).toSatisfy(isTypeNotServed);
    await client.create(Crd, gizmos);
    await eventually(() => expect(m.reflector.state).toEqual({ synced: true }), { timeout: 30_000 });
    await client.create(Gizmo, { metadata: { name: 'g', namespace } });
    await eventually(() => expect(m.events).toEqual(['replace 0', 'ADDED g']));
    await client.delete(Crd, { name: 'gizmos.example.com' });
    await eventually(() => expect(m.reflector.state.synced).toBe(false), { timeout: 60_000 });
    expect(m.objects.size).toBe(0);
    await eventually(async () =>
      expect(await client.find(Crd, { name: 'gizmos.example.com' })).toBeUndefined(),
    );
    await client.create(Crd, gizmos);
    await eventually(() => expect(m.reflector.state).toEqual({ synced: true }), { timeout: 60_000 });
    await client.create(Gizmo, { metadata: { name: 'again', namespace } });
    await eventually(() => expect([...m.objects.keys()]).toEqual(['again']));
    await client.delete(Crd, { name: 'gizmos.example.com' });
    await eventually(async () =>
      expect(await client.find(Crd, { name: 'gizmos.example.com' })).toBeUndefined(),
    );
  });
});

// Unscaled on purpose: the health check with the times that operators run with.
test('R16: notices an API server that does not answer any more, and goes on when it does', async () => {
  await using plane = await startControlPlane();
  const connection = openConnection(await loadCluster({ kubeconfig: plane.kubeconfig }));
  const m = mirror(connection, { resource: ConfigMap, namespace: 'default' });
  await eventually(() => expect(m.reflector.state).toEqual({ synced: true }));
  await plane.killApiServer('SIGSTOP');
  await eventually(
    () => expect(String(m.reflector.state.error)).toContain('no answer to a PING within 15 s'),
    {
      timeout: 70_000,
    },
  );
  await plane.killApiServer('SIGCONT');
  await eventually(() => expect(m.reflector.state).toEqual({ synced: true }), { timeout: 60_000 });
  await m.stop();
  await connection.close();
}, 180_000);
