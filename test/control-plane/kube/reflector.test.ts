import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../src/api/index.ts';
import {
  createClient,
  isForbidden,
  isTypeNotServed,
  loadCluster,
  openConnection,
  Reflector,
  type ApiCall,
  type Connection,
  type KubeClient,
  type ReflectorOptions,
  type ReflectorState,
} from '../../../src/kube/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../src/testing/index.ts';

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}
const ConfigMap = externalResource<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});
const Namespace = externalResource({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
});
const Crd = externalResource<KubeObject & { spec: object }>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
});
const Gizmo = externalResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Gizmo',
  plural: 'gizmos',
  scope: 'Namespaced',
});

type Tamper = (
  query: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, string | number | boolean | undefined>> | undefined;

interface Mirrored {
  readonly requests: string[];
  readonly objects: Map<string, KubeObject>;
  readonly events: string[];
  readonly states: ReflectorState[];
  readonly reflector: Reflector;
  stop(): Promise<void>;
}

const running: Mirrored[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

function kindOf({ query = {} }: ApiCall): string {
  const version = query['resourceVersion'];
  const suffix = version === undefined ? '' : ` ${version === '0' ? '0' : 'at a version'}`;
  if (query['sendInitialEvents'] === true) return `watchlist${suffix}`;
  if (query['watch'] === true) return `watch${suffix}`;
  return query['continue'] === undefined ? `list${suffix}` : 'list continued';
}

/** A reflector whose requests are written down, and changed by `tamper` on their way. */
function mirror(
  connection: Connection,
  options: Partial<ReflectorOptions> & Pick<ReflectorOptions, 'resource'>,
  tamper?: Tamper,
): Mirrored {
  const requests: string[] = [];
  const objects = new Map<string, KubeObject>();
  const events: string[] = [];
  const states: ReflectorState[] = [];
  const change = (call: ApiCall): ApiCall => {
    requests.push(kindOf(call));
    const query = tamper?.(call.query ?? {});
    return query === undefined ? call : { ...call, query };
  };
  const recorded: Connection = {
    cluster: connection.cluster,
    request: (call) => connection.request(change(call)),
    stream: (call) => connection.stream(change(call)),
    warn: (text) => connection.warn(text),
    close: () => connection.close(),
  };
  const reflector = new Reflector({
    connection: recorded,
    handler: {
      replace(all) {
        events.push(`replace ${all.length}`);
        objects.clear();
        for (const object of all) objects.set(object.metadata.name ?? '', object);
      },
      apply(type, object) {
        const name = object.metadata.name ?? '';
        events.push(`${type} ${name}`);
        if (type === 'DELETED') objects.delete(name);
        else objects.set(name, object);
      },
    },
    onState: (state) => states.push(state),
    ...options,
  });
  const abort = new AbortController();
  const run = reflector.run(abort.signal);
  const mirrored: Mirrored = {
    requests,
    objects,
    events,
    states,
    reflector,
    async stop() {
      abort.abort();
      await run;
    },
  };
  running.push(mirrored);
  return mirrored;
}

describe.each([{ watchList: true }, { watchList: false }])(
  'a reflector on an API server with WatchList=$watchList',
  ({ watchList }) => {
    let plane: ControlPlane;
    beforeAll(async () => {
      plane = await startControlPlane({ featureGates: { WatchList: watchList } });
    });
    afterAll(() => plane.stop());

    describe.each(['http2', 'http1'] as const)('over %s', (protocol) => {
      let connection: Connection;
      let client: KubeClient;
      let namespace: string;
      let count = 0;
      beforeAll(async () => {
        connection = openConnection(await loadCluster({ kubeconfig: plane.kubeconfig }), { protocol });
        client = createClient({ connection, fieldManager: 'test' });
      });
      afterAll(() => connection.close());

      async function freshNamespace(): Promise<string> {
        count += 1;
        namespace = `${protocol}-${count}`;
        await client.create(Namespace, { metadata: { name: namespace } });
        return namespace;
      }
      const put = (name: string, value: string): Promise<unknown> =>
        client.apply(ConfigMap, { metadata: { name, namespace }, data: { value } });
      const start = watchList ? ['watchlist'] : ['watchlist', 'list 0', 'watch at a version'];

      test('R1 R2 lists what is there and follows what happens', async () => {
        await freshNamespace();
        await put('a', '1');
        await put('b', '1');
        const m = mirror(connection, { resource: ConfigMap, namespace });
        await eventually(() => expect(m.events).toEqual(['replace 2']));
        await put('c', '1');
        await put('a', '2');
        await client.delete(ConfigMap, { name: 'b', namespace });
        await eventually(() => expect(m.events).toEqual(['replace 2', 'ADDED c', 'MODIFIED a', 'DELETED b']));
        expect(m.requests).toEqual(start);
        expect(m.states).toEqual([{ synced: true }]);
        expect(m.objects.get('a')).toMatchObject({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          data: { value: '2' },
        });
        expect(m.objects.get('a')?.metadata).not.toHaveProperty('managedFields');
      });

      test('R1 is synced with an empty list', async () => {
        await freshNamespace();
        const m = mirror(connection, { resource: ConfigMap, namespace });
        await eventually(() => expect(m.events).toEqual(['replace 0']));
        expect(Number(m.reflector.resourceVersion)).toBeGreaterThan(0);
      });

      test('R3 R4 reads consistently, in pages, when the server does not have the version', async () => {
        await freshNamespace();
        await Promise.all(Array.from({ length: 7 }, (_, index) => put(`c${index}`, '1')));
        const m = mirror(
          connection,
          { resource: ConfigMap, namespace, settings: { pageSize: 3 } },
          (query) => {
            if (query['sendInitialEvents'] === true) return { ...query, resourceVersionMatch: undefined };
            return query['resourceVersion'] === '0' ? { resourceVersion: '999999999' } : undefined;
          },
        );
        await eventually(() => expect(m.events).toEqual(['replace 7']), { timeout: 20_000 });
        expect(m.requests.slice(0, 6)).toEqual([
          'watchlist',
          'list 0',
          'list',
          'list continued',
          'list continued',
          'watch at a version',
        ]);
      });

      test('R5 reads everything again when its version is too old', async () => {
        // The watch cache of a new API server begins with what it reads then: version 1 is out of its reach.
        await plane.restartApiServer();
        await freshNamespace();
        await put('a', '1');
        let rewatches = 0;
        const settings = { minWatchSeconds: 1, shortestWatch: 0 };
        const m = mirror(connection, { resource: ConfigMap, namespace, settings }, (query) => {
          const isRewatch = query['watch'] === true && query['sendInitialEvents'] === undefined;
          if (!isRewatch) return undefined;
          rewatches += 1;
          return rewatches === 1 ? { ...query, resourceVersion: '1' } : undefined;
        });
        await eventually(() => expect(m.events.filter((each) => each === 'replace 1')).toHaveLength(2), {
          timeout: 20_000,
        });
        expect(m.states.find((each) => each.error !== undefined)).toMatchObject({
          synced: true,
          error: { status: 410, reason: 'Expired' },
        });
        await put('a', '2');
        await eventually(() => expect(m.objects.get('a')).toMatchObject({ data: { value: '2' } }));
      });

      test('R7 watches on after the server has ended the watch, without listing', async () => {
        await freshNamespace();
        const m = mirror(connection, { resource: ConfigMap, namespace, settings: { minWatchSeconds: 1 } });
        await eventually(() => m.requests.filter((each) => each === 'watch at a version').length >= 3, {
          timeout: 20_000,
        });
        await put('a', '1');
        await eventually(() => expect(m.events).toEqual(['replace 0', 'ADDED a']));
        expect(m.requests.filter((each) => each !== 'watch at a version')).toEqual(
          watchList ? ['watchlist'] : ['watchlist', 'list 0'],
        );
      });

      test('R9 finds everything again after the API server was killed and started again', async () => {
        await freshNamespace();
        await put('a', '1');
        const m = mirror(connection, { resource: ConfigMap, namespace });
        await eventually(() => expect(m.events).toEqual(['replace 1']));
        await plane.killApiServer('SIGKILL');
        await eventually(() => m.states.some((each) => each.error !== undefined));
        expect(m.reflector.state.synced).toBe(true);
        await plane.restartApiServer();
        await put('b', '1');
        await client.delete(ConfigMap, { name: 'a', namespace });
        await eventually(() => expect([...m.objects.keys()].sort()).toEqual(['b']), { timeout: 60_000 });
        await put('c', '1');
        await eventually(() => expect([...m.objects.keys()].sort()).toEqual(['b', 'c']));
        expect(m.reflector.state).toEqual({ synced: true });
      });

      test('R21 says what RBAC lacks', async () => {
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

      test('R22 waits for a type that is not installed yet', async () => {
        await freshNamespace();
        const m = mirror(connection, { resource: Gizmo, namespace });
        await eventually(() => m.states.length > 0);
        expect(m.states[0]?.error).toSatisfy(isTypeNotServed);
        await client.create(Crd, {
          metadata: { name: 'gizmos.example.com' },
          spec: {
            group: 'example.com',
            scope: 'Namespaced',
            names: { plural: 'gizmos', singular: 'gizmo', kind: 'Gizmo', listKind: 'GizmoList' },
            versions: [
              { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
            ],
          },
        });
        await eventually(() => expect(m.reflector.state).toEqual({ synced: true }), { timeout: 30_000 });
        await client.create(Gizmo, { metadata: { name: 'g', namespace } });
        await eventually(() => expect(m.events).toEqual(['replace 0', 'ADDED g']));
        await client.delete(Crd, { name: 'gizmos.example.com' });
        await eventually(() => expect(m.reflector.state.synced).toBe(false), { timeout: 60_000 });
        expect(m.objects.size).toBe(0);
      });
    });
  },
);

// Unscaled on purpose: the health check with the times that operators run with.
test('R16 notices an API server that does not answer any more, and goes on when it does', async () => {
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
