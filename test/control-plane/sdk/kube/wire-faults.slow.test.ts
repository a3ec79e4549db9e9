import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fileToken } from '../../../../src/sdk/kube/cluster/file-token.ts';
import {
  createClient,
  isUnauthorized,
  loadCluster,
  openConnection,
  type Cluster,
  type Connection,
  type ConnectionOptions,
  type KubeClient,
} from '../../../../src/sdk/kube/index.ts';
import { replace } from '../../../unit/sdk/runtime/replace.ts';
import { Store, type ObjectEvent } from '../../../../src/sdk/runtime/cache/store.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { connectProxy } from './support/connect-proxy.ts';
import { ClusterRoleBinding, ConfigMap, Namespace, ServiceAccount } from './support/kinds.ts';
import { protocols } from './support/protocols.ts';
import { mirror, stopMirrors } from './support/mirror.ts';
import { tcpProxy, type TcpProxy } from './support/tcp-proxy.ts';

const patience = { timeout: 60_000 };

let plane: ControlPlane;
let cluster: Cluster;
/** Not through a proxy. */
let direct: KubeClient;
beforeAll(async () => {
  plane = await startControlPlane({ apiServerFlags: ['--goaway-chance=0.02'] });
  cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
  direct = createClient({ cluster, fieldManager: 'test', protocol: 'http1' });
});
afterAll(async () => {
  await direct.close();
  await plane.stop();
});

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await stopMirrors();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const lists = (requests: readonly string[]): readonly string[] =>
  requests.filter((each) => !each.startsWith('watch at'));

describe.each(protocols())('over %s', (protocol) => {
  let namespace: string;
  let count = 0;

  async function freshNamespace(): Promise<void> {
    count += 1;
    namespace = `${protocol}-${count}`;
    await direct.create(Namespace, { metadata: { name: namespace } });
  }
  const put = (name: string, value: string): Promise<unknown> =>
    direct.apply(ConfigMap, { metadata: { name, namespace }, data: { value } });

  function open(to: Cluster, options: ConnectionOptions = {}): Connection {
    const connection = openConnection(to, { protocol, onWarning: () => undefined, ...options });
    cleanups.push(() => connection.close());
    return connection;
  }

  async function throughProxy(
    options: ConnectionOptions = {},
    to = cluster,
  ): Promise<{ proxy: TcpProxy; connection: Connection }> {
    const proxy = await tcpProxy(to);
    cleanups.push(() => proxy.close());
    return { proxy, connection: open(proxy.cluster, options) };
  }

  test('R10: asks the server to end each watch, and ends it when the server does not', async () => {
    await freshNamespace();
    const connection = open(cluster);
    const usual = mirror(connection, { resource: ConfigMap, namespace });
    await eventually(() => expect(usual.events).toEqual(['replace 0']));
    expect(usual.queries[0]?.['timeoutSeconds']).toSatisfy(
      (seconds: number) => seconds >= 300 && seconds < 600,
    );
    const settings = { minWatchSeconds: 1, watchMargin: 200 };
    const m = mirror(connection, { resource: ConfigMap, namespace, settings }, (query) => ({
      ...query,
      timeoutSeconds: 600,
    }));
    await eventually(() => expect(m.requests.length).toBeGreaterThan(2), patience);
    expect(lists(m.requests)).toEqual(['watchlist']);
    expect(m.states).toEqual([{ synced: true }]);
  });

  test('R11: bookmarks keep the version fresh while other namespaces change', async () => {
    await freshNamespace();
    const quiet = namespace;
    const connection = open(cluster);
    const settings = { minWatchSeconds: 4 };
    const m = mirror(connection, { resource: ConfigMap, namespace: quiet, settings });
    await eventually(() => expect(m.events).toEqual(['replace 0']));
    await freshNamespace();
    for (let change = 0; change < 20; change += 1) await put('busy', String(change));
    const busy = await direct.get(ConfigMap, { name: 'busy', namespace });
    const isFresh = (): boolean =>
      Number(m.reflector.resourceVersion) >= Number(busy.metadata.resourceVersion);
    await eventually(isFresh, patience);
    expect(m.events).toEqual(['replace 0']);
    expect(lists(m.requests)).toEqual(['watchlist']);
  });

  test('R12: an object that was replaced under its name during an outage is a delete and a create', async () => {
    await freshNamespace();
    await put('kept', '1');
    await put('changed', '1');
    await put('replaced', '1');
    await put('deleted', '1');
    const { proxy, connection } = await throughProxy();
    const store = new Store(ConfigMap);
    const seen: string[] = [];
    const note = (events: readonly ObjectEvent[]): void => {
      seen.push(...events.map(({ type, object }) => `${type} ${object.metadata.name}`));
    };
    let outage = false;
    const m = mirror(
      connection,
      {
        resource: ConfigMap,
        namespace,
        handler: {
          replace: (objects, version) => note(replace(store, objects, version)),
          apply: (type, object) => note(store.apply(type, object)),
        },
      },
      (query) => {
        const isWatch = query['watch'] === true && query['sendInitialEvents'] === undefined;
        return outage && isWatch ? { ...query, resourceVersion: '1' } : undefined;
      },
    );
    await eventually(() => expect(seen).toHaveLength(4));
    seen.length = 0;
    outage = true;
    proxy.refuse(true);
    proxy.cut();
    await direct.delete(ConfigMap, { name: 'replaced', namespace });
    await put('replaced', '2');
    await direct.delete(ConfigMap, { name: 'deleted', namespace });
    await put('changed', '2');
    await put('created', '1');
    proxy.refuse(false);
    await eventually(() => expect(store.size).toBe(4), patience);
    await eventually(
      () =>
        expect([...seen].sort()).toEqual([
          'create created',
          'create replaced',
          'delete deleted',
          'delete replaced',
          'update changed',
        ]),
      patience,
    );
    expect(seen.indexOf('delete replaced')).toBeLessThan(seen.indexOf('create replaced'));
    expect(m.reflector.state.synced).toBe(true);
  });

  test('R13: takes the greatest objects, with characters of several bytes', async () => {
    await freshNamespace();
    const connection = open(cluster);
    const m = mirror(connection, { resource: ConfigMap, namespace });
    await eventually(() => expect(m.events).toEqual(['replace 0']));
    // Just below the 1 MiB that a ConfigMap may hold.
    const value = '世🚀é'.repeat(110_000);
    await put('big', value);
    await eventually(() => expect(m.objects.size).toBe(1), patience);
    expect((m.objects.get('big') as ConfigMap).data?.['value'] === value).toBe(true);
  });

  test('R14: loses nothing when the connection breaks in the middle of an event', async () => {
    await freshNamespace();
    const { proxy, connection } = await throughProxy();
    const m = mirror(connection, { resource: ConfigMap, namespace });
    await eventually(() => expect(m.events).toEqual(['replace 0']));
    await put('a', '1');
    await eventually(() => expect(m.events).toEqual(['replace 0', 'ADDED a']));
    proxy.cutAfter(100_000);
    await put('cut', 'x'.repeat(300_000));
    await eventually(() => expect(m.events).toEqual(['replace 0', 'ADDED a', 'ADDED cut']), patience);
    expect(lists(m.requests)).toEqual(['watchlist']);
    expect(m.states.find(({ error }) => error !== undefined)).toMatchObject({
      synced: true,
      error: { code: 'kube/connection-lost' },
    });
  });

  test('R15: converges after it could not read for a long time', async () => {
    await freshNamespace();
    const { proxy, connection } = await throughProxy();
    const m = mirror(connection, { resource: ConfigMap, namespace });
    await eventually(() => expect(m.events).toEqual(['replace 0']));
    proxy.pause();
    // More than all buffers on the way hold, so that the server ends the watch.
    const filling = 'x'.repeat(400_000);
    for (let change = 0; change < 100; change += 1) await put(`n${change % 10}`, `${change} ${filling}`);
    await direct.delete(ConfigMap, { name: 'n0', namespace });
    proxy.resume();
    const expected = Array.from({ length: 9 }, (_, index) => `n${index + 1}: ${91 + index}`);
    await eventually(() => {
      const values = [...m.objects].map(
        ([name, object]) => `${name}: ${(object as ConfigMap).data?.['value']?.split(' ')[0]}`,
      );
      expect(values.sort()).toEqual(expected);
    }, patience);
  });

  test('R16: goes on by itself after the connection went silent without an end', async () => {
    await freshNamespace();
    const { proxy, connection } = await throughProxy({
      transport: { pingAfterIdle: 200, pingTimeout: 300 },
    });
    // HTTP/1.1 has no PING: there the end of the watch is the end of the wait.
    const settings = { minWatchSeconds: 2, watchMargin: 300 };
    const m = mirror(connection, { resource: ConfigMap, namespace, settings });
    await eventually(() => expect(m.events).toEqual(['replace 0']));
    proxy.freeze();
    await put('a', '1');
    await eventually(() => expect(m.events).toEqual(['replace 0', 'ADDED a']), patience);
    expect(lists(m.requests)).toEqual(['watchlist']);
    expect(proxy.connections()).toBeGreaterThan(1);
  });

  test('R17: a server that sends clients away fails no request and breaks no watch', async () => {
    await freshNamespace();
    const { proxy, connection } = await throughProxy();
    const m = mirror(connection, { resource: ConfigMap, namespace });
    await eventually(() => expect(m.events).toEqual(['replace 0']));
    const client = createClient({ connection, fieldManager: 'test' });
    const before = proxy.connections();
    for (let round = 0; round < 60; round += 1) {
      const name = (index: number): string => `c${round}-${index}`;
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          client.create(ConfigMap, { metadata: { name: name(index), namespace } }),
        ),
      );
    }
    await eventually(() => expect(m.objects.size).toBe(600), patience);
    expect(m.states).toEqual([{ synced: true }]);
    expect(m.requests).toEqual(['watchlist']);
    // Of 600 requests one in fifty is answered with GOAWAY; HTTP/1.1 has nothing like it.
    if (protocol === 'http2') expect(proxy.connections()).toBeGreaterThan(before);
  });

  test('R18: many watches leave room for requests', async () => {
    await freshNamespace();
    const { proxy, connection } = await throughProxy();
    const client = createClient({ connection, fieldManager: 'test' });
    const mirrors = Array.from({ length: 130 }, () => mirror(connection, { resource: ConfigMap, namespace }));
    await eventually(() => expect(mirrors.every((m) => m.reflector.state.synced)).toBe(true), patience);
    await client.create(ConfigMap, { metadata: { name: 'a', namespace } });
    await eventually(() => expect(mirrors.every((m) => m.objects.size === 1)).toBe(true), patience);
    // The API server allows 100 streams a connection.
    if (protocol === 'http2') expect(proxy.open()).toBeGreaterThan(1);
    if (protocol === 'http2') expect(proxy.open()).toBeLessThan(20);
  });

  test('R19: reads its token file again when the server refuses the token', async () => {
    await freshNamespace();
    const name = `watcher-${protocol}`;
    const account = { metadata: { name, namespace } };
    await direct.create(ServiceAccount, account);
    await direct.create(ClusterRoleBinding, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });
    const file = join(plane.folder, `token-${protocol}`);
    const token = async (): Promise<string> => {
      const { text } = await plane.serviceAccountKubeconfig(namespace, name);
      return /token: (\S+)/.exec(text)?.[1] ?? '';
    };
    const first = await token();
    await writeFile(file, first);
    const withoutCertificate = async () => ({ ca: (await cluster.tls()).ca });
    const account1 = { ...cluster, credentials: fileToken(file), tls: withoutCertificate };
    const m = mirror(open(account1), { resource: ConfigMap, namespace, settings: { minWatchSeconds: 1 } });
    await eventually(() => expect(m.events).toEqual(['replace 0']));
    // A token is bound to the ServiceAccount's uid.
    await direct.delete(ServiceAccount, { name, namespace });
    await direct.create(ServiceAccount, account);
    await writeFile(file, await token());
    const old = {
      headers: () => Promise.resolve({ authorization: `Bearer ${first}` }),
      refresh: () => false,
    };
    const stale = createClient({
      connection: open({ ...cluster, credentials: old, tls: withoutCertificate }),
      fieldManager: 'test',
    });
    const isRefused = (): Promise<boolean> =>
      stale.list(ConfigMap, { namespace }).then(() => false, isUnauthorized);
    await eventually(isRefused, patience);
    const watches = m.requests.length;
    await eventually(() => expect(m.requests.length).toBeGreaterThan(watches + 1), patience);
    await put('a', '1');
    await eventually(() => expect(m.events).toEqual(['replace 0', 'ADDED a']), patience);
    expect(lists(m.requests)).toEqual(['watchlist']);
  });

  test.each(['breaks', 'stays'] as const)(
    'R20: the renewed certificate is used when the old connection %s',
    async (fate) => {
      const material = async (name: string) => {
        const { path } = await plane.userKubeconfig(name, ['system:masters']);
        return (await loadCluster({ kubeconfig: path })).tls();
      };
      let current = await material('before');
      const { proxy, connection } = await throughProxy(
        fate === 'stays' ? { transport: { rereadTlsAfter: 0 } } : {},
        { ...cluster, tls: () => Promise.resolve(current) },
      );
      const client = createClient({ connection, fieldManager: 'test' });
      const whoAmI = async (): Promise<string | undefined> => {
        const review = await client.raw.request({
          method: 'POST',
          path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
          body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
        });
        return review.json<{ status: { userInfo: { username?: string } } }>().status.userInfo.username;
      };
      expect(await whoAmI()).toBe('before');
      current = await material('after');
      if (fate === 'breaks') proxy.cut();
      await eventually(async () => expect(await whoAmI()).toBe('after'), patience);
    },
  );

  test('R24: lists and watches through an HTTP proxy', async () => {
    await freshNamespace();
    const { server, url, tunnels } = await connectProxy();
    const m = mirror(open({ ...cluster, proxy: url }), { resource: ConfigMap, namespace });
    await eventually(() => expect(m.events).toEqual(['replace 0']));
    await put('a', '1');
    await eventually(() => expect(m.events).toEqual(['replace 0', 'ADDED a']));
    expect(tunnels.size).toBeGreaterThan(0);
    for (const socket of tunnels) socket.destroy();
    await put('b', '1');
    await eventually(() => expect(m.events).toEqual(['replace 0', 'ADDED a', 'ADDED b']), patience);
    cleanups.push(async () => {
      for (const socket of tunnels) socket.destroy();
      server.close();
      await once(server, 'close');
    });
  });

  test('R25: large lists come compressed', async () => {
    await freshNamespace();
    const value = 'abc '.repeat(50_000);
    for (let index = 0; index < 5; index += 1) await put(`c${index}`, value);
    const { proxy, connection } = await throughProxy();
    const client = createClient({ connection, fieldManager: 'test' });
    expect((await client.list(ConfigMap, { namespace })).items).toHaveLength(5);
    expect(proxy.received()).toBeLessThan(200_000);
  });

  test('R27: an abort ends the stream, and nothing is left open after close', async () => {
    await freshNamespace();
    const { proxy, connection } = await throughProxy();
    const m = mirror(connection, { resource: ConfigMap, namespace });
    await eventually(() => expect(m.events).toEqual(['replace 0']));
    const started = performance.now();
    await m.stop();
    await connection.close();
    await eventually(() => expect(proxy.open()).toBe(0));
    expect(performance.now() - started).toBeLessThan(10_000);
    await put('late', '1');
    expect(m.events).toEqual(['replace 0']);
    expect(m.states).toEqual([{ synced: true }]);
  });
});
