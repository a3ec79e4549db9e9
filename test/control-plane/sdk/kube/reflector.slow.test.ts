import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createClient,
  isExpired,
  isTooManyRequests,
  loadCluster,
  openConnection,
  type Connection,
  type KubeClient,
} from '../../../../src/sdk/kube/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { ClusterRoleBinding, ConfigMap, FlowSchema, Namespace, PriorityLevel } from './support/kinds.ts';
import { protocols } from './support/protocols.ts';
import { mirror, stopMirrors } from './support/mirror.ts';

afterEach(stopMirrors);

/** A priority level without seats, of its own or borrowed: it refuses every request while one is served. */
const noSeats = (name: string) => ({
  metadata: { name },
  spec: {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: { type: 'Reject' } },
  },
});
/** Every request of the user. */
const flowTo = (level: string, user: string) => ({
  metadata: { name: user },
  spec: {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: 2,
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: user } }],
        resourceRules: [
          { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
        ],
      },
    ],
  },
});

const adminBinding = (user: string) => ({
  metadata: { name: user },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
});

/** A continue token holds the version of the list, which has expired when etcd has compacted it. Source: apiserver `storage.EncodeContinue`. */
function atRevision1(token: string): string {
  const content = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as object;
  return Buffer.from(JSON.stringify({ ...content, rv: 1 })).toString('base64url');
}

describe.each([{ watchList: true }, { watchList: false }])(
  'a reflector on an API server with WatchList=$watchList',
  ({ watchList }) => {
    let plane: ControlPlane;
    beforeAll(async () => {
      plane = await startControlPlane({
        featureGates: { WatchList: watchList },
        apiServerFlags: ['--etcd-compaction-interval=1s'],
      });
      // The watch cache of a new API server begins with what it reads then: version 1 is out of its reach.
      await plane.restartApiServer();
    });
    afterAll(() => plane.stop());

    describe.each(protocols(watchList ? 'http2' : 'http1'))('over %s', (protocol) => {
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
      async function untilCompacted(): Promise<void> {
        const path = `/api/v1/namespaces/${namespace}/configmaps`;
        const first = await client.raw.request({ path, query: { limit: 2 } });
        const token = first.json<{ metadata: { continue: string } }>().metadata.continue;
        await untilExpired(atRevision1(token));
      }
      /** Writes, because etcd is compacted only up to what was written before. */
      async function untilExpired(token: string): Promise<void> {
        const path = `/api/v1/namespaces/${namespace}/configmaps`;
        const expired = async (): Promise<boolean> => {
          await client.create(Namespace, { metadata: { generateName: 'written-' } });
          const query = { limit: 1, continue: token };
          return client.raw.request({ path, query }).then(() => false, isExpired);
        };
        await eventually(expired, { timeout: 60_000, interval: 200 });
      }
      /** What the first list asks for, before the watches. */
      const firstList = watchList ? ['watchlist'] : ['watchlist', 'list 0'];
      const listsOf = (requests: readonly string[]): readonly string[] =>
        requests.filter((each) => !each.startsWith('watch at'));

      test('R1: lists what is there and follows what happens', async () => {
        await freshNamespace();
        await put('a', '1');
        await put('b', '1');
        const m = mirror(connection, { resource: ConfigMap, namespace });
        await eventually(() => expect(m.events).toEqual(['replace 2']));
        await put('c', '1');
        await put('a', '2');
        await client.delete(ConfigMap, { name: 'b', namespace });
        await eventually(() => expect(m.events).toEqual(['replace 2', 'ADDED c', 'MODIFIED a', 'DELETED b']));
        expect(m.states).toEqual([{ synced: true }]);
        expect(m.objects.get('a')).toMatchObject({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          data: { value: '2' },
        });
        expect(m.objects.get('a')?.metadata).not.toHaveProperty('managedFields');
      });

      test(`R2: ${watchList ? 'lists by stream' : 'falls back to LIST, and remembers it'}`, async () => {
        await freshNamespace();
        await put('a', '1');
        let expired = false;
        const m = mirror(
          connection,
          { resource: ConfigMap, namespace, settings: { minWatchSeconds: 1 } },
          (query) => {
            if (query['watch'] !== true || query['sendInitialEvents'] === true || expired) return undefined;
            expired = true;
            return { ...query, resourceVersion: '1' };
          },
        );
        await eventually(() => expect(m.events).toEqual(['replace 1', 'replace 1']), { timeout: 20_000 });
        await put('b', '1');
        await eventually(() => expect(m.objects.size).toBe(2));
        expect(listsOf(m.requests)).toEqual(
          watchList ? ['watchlist', 'watchlist at a version'] : ['watchlist', 'list 0', 'list at a version'],
        );
      });

      test('R1: is synced with an empty list', async () => {
        await freshNamespace();
        const m = mirror(connection, { resource: ConfigMap, namespace });
        await eventually(() => expect(m.events).toEqual(['replace 0']));
        expect(Number(m.reflector.resourceVersion)).toBeGreaterThan(0);
      });

      test('R3: reads consistently, in pages, when the server does not have the version', async () => {
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

      test('R4: starts a list again whose continue token expires between two pages', async () => {
        await freshNamespace();
        await Promise.all(Array.from({ length: 5 }, (_, index) => put(`c${index}`, '1')));
        await untilCompacted();
        let broken = false;
        const m = mirror(
          connection,
          { resource: ConfigMap, namespace, settings: { pageSize: 2 } },
          (query) => {
            if (query['sendInitialEvents'] === true) return { ...query, resourceVersionMatch: undefined };
            // Pages come only from a consistent list.
            if (query['resourceVersion'] === '0') return { ...query, resourceVersion: undefined };
            if (typeof query['continue'] !== 'string' || broken) return undefined;
            broken = true;
            return { ...query, continue: atRevision1(query['continue']) };
          },
        );
        await eventually(() => expect(m.events).toEqual(['replace 5']), { timeout: 20_000 });
        expect(m.requests.slice(1, 4)).toEqual(['list 0', 'list continued', 'list 0']);
        expect(m.states).toEqual([{ synced: true }]);
      });

      test.runIf(watchList)(
        'R4: pages of the client end with an error when the continue token has expired',
        async () => {
          await freshNamespace();
          await Promise.all(Array.from({ length: 3 }, (_, index) => put(`c${index}`, '1')));
          const found: unknown[] = [];
          const reading = async (): Promise<void> => {
            for await (const page of client.pages(ConfigMap, { namespace, limit: 1 })) {
              found.push(...page.items);
              await untilExpired(page.metadata.continue ?? '');
            }
          };
          await expect(reading()).rejects.toSatisfy(isExpired);
          expect(found).toHaveLength(1);
        },
      );

      test('R5: reads everything again when its version is too old', async () => {
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

      test('R5: a watch of the client ends with an error when its version is too old', async () => {
        await freshNamespace();
        const watching = async (): Promise<void> => {
          for await (const _ of client.watch(ConfigMap, { namespace, resourceVersion: '1' })) return;
        };
        await expect(watching()).rejects.toSatisfy(isExpired);
      });

      test('R6: watches on, without a list, after priority and fairness has refused a watch with 429', async () => {
        await freshNamespace();
        await put('a', '1');
        const user = `limited-${protocol}`;
        // Nothing limits the group system:masters.
        const { path } = await plane.userKubeconfig(user);
        await client.apply(ClusterRoleBinding, adminBinding(user));
        const limited = openConnection(await loadCluster({ kubeconfig: path }), { protocol });
        const m = mirror(limited, { resource: ConfigMap, namespace, settings: { minWatchSeconds: 1 } });
        await eventually(() => expect(m.events).toEqual(['replace 1']));
        await client.apply(PriorityLevel, noSeats('no-seats'));
        await client.apply(FlowSchema, flowTo('no-seats', user));
        // It admits one request even so: this one waits three seconds for a version that does not exist.
        const isRefused = (): boolean => m.states.some(({ error }) => isTooManyRequests(error));
        const path1 = `/api/v1/namespaces/${namespace}/configmaps`;
        const query = { resourceVersion: '999999999', resourceVersionMatch: 'NotOlderThan' };
        const target = { verb: `GET ${path1}` };
        const occupied = async (): Promise<void> => {
          const call = { target, method: 'GET', path: path1, query, honourRetryAfter: false };
          while (!isRefused()) await limited.request(call).catch(() => undefined);
        };
        await Promise.race([occupied(), eventually(isRefused, { timeout: 60_000 })]);
        expect(m.reflector.state.synced).toBe(true);
        await client.delete(FlowSchema, { name: user });
        await put('b', '1');
        await eventually(() => expect([...m.objects.keys()].sort()).toEqual(['a', 'b']), { timeout: 60_000 });
        expect(listsOf(m.requests)).toEqual(firstList);
        await m.stop();
        await limited.close();
      });

      test('R8: takes the version of the complete list, not that of an object in it', async () => {
        await freshNamespace();
        await put('a', '1');
        await put('b', '1');
        const m = mirror(connection, { resource: ConfigMap, namespace, settings: { minWatchSeconds: 1 } });
        await eventually(
          () => expect(m.requests.filter((each) => each === 'watch at a version').length).toBeGreaterThan(1),
          {
            timeout: 20_000,
          },
        );
        const newest = Math.max(
          ...[...m.objects.values()].map(({ metadata }) => Number(metadata.resourceVersion)),
        );
        const versions = m.queries
          .filter(({ watch, sendInitialEvents }) => watch === true && sendInitialEvents === undefined)
          .map(({ resourceVersion }) => Number(resourceVersion));
        expect(Math.min(...versions)).toBeGreaterThanOrEqual(newest);
        expect(m.events).toEqual(['replace 2']);
      });

      test('R7: watches on after the server has ended the watch, without listing', async () => {
        await freshNamespace();
        const m = mirror(connection, { resource: ConfigMap, namespace, settings: { minWatchSeconds: 1 } });
        await eventually(() => m.requests.filter((each) => each === 'watch at a version').length >= 3, {
          timeout: 20_000,
        });
        await put('a', '1');
        await eventually(() => expect(m.events).toEqual(['replace 0', 'ADDED a']));
        expect(listsOf(m.requests)).toEqual(firstList);
      });

      test('R9: finds everything again after the API server was killed and started again', async () => {
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
    });
  },
);
