import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { metadataOnly } from '../../../../src/sdk/api/index.ts';
import {
  createClient,
  loadCluster,
  openConnection,
  type Connection,
  type KubeClient,
} from '../../../../src/sdk/kube/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { ConfigMap } from './support/kinds.ts';
import { mirror, stopMirrors } from './support/mirror.ts';

afterEach(stopMirrors);

describe.each([{ watchList: true }, { watchList: false }])(
  'metadata alone, with WatchList=$watchList',
  ({ watchList }) => {
    let plane: ControlPlane;
    beforeAll(async () => {
      plane = await startControlPlane({ featureGates: { WatchList: watchList } });
    });
    afterAll(() => plane.stop());

    describe.each(['http2', 'http1'] as const)('over %s', (protocol) => {
      let connection: Connection;
      let client: KubeClient;
      beforeAll(async () => {
        connection = openConnection(await loadCluster({ kubeconfig: plane.kubeconfig }), { protocol });
        client = createClient({ connection, fieldManager: 'test' });
      });
      afterAll(() => connection.close());

      test('R26: is mirrored, with the kind of the object', async () => {
        const namespace = 'default';
        const labels = { protocol };
        const put = (name: string, value: string): Promise<unknown> =>
          client.apply(ConfigMap, { metadata: { name, namespace, labels }, data: { value } });
        await put(`${protocol}-a`, '1');
        const m = mirror(connection, {
          resource: metadataOnly(ConfigMap),
          namespace,
          labelSelector: `protocol=${protocol}`,
        });
        await eventually(() => expect(m.events).toEqual(['replace 1']));
        await put(`${protocol}-b`, '1');
        await put(`${protocol}-a`, '2');
        await client.delete(ConfigMap, { name: `${protocol}-b`, namespace });
        await eventually(() =>
          expect(m.events.slice(1)).toEqual([
            `ADDED ${protocol}-b`,
            `MODIFIED ${protocol}-a`,
            `DELETED ${protocol}-b`,
          ]),
        );
        expect(m.requests[0]).toBe('watchlist');
        expect(m.requests.includes('list 0')).toBe(!watchList);
        const [object] = m.objects.values();
        expect(Object.keys(object ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
        expect(object).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels } });
        expect(object?.metadata).not.toHaveProperty('managedFields');
      });
    });
  },
);
