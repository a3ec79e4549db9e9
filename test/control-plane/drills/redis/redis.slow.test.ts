import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PersistentVolumeClaim, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { isInstalled } from '../../../helpers/guide.ts';
import { isThorough } from '../../../helpers/thorough.ts';
import { startDrill, type Drill } from '../start-drill.ts';
import { RedisClusterBackup } from '../../../operators/redis/api/redis-cluster-backup.ts';
import { RedisCluster } from '../../../operators/redis/api/redis-cluster.ts';
import { RedisAdmin, tcpRedis } from '../../../operators/redis/redis-admin.ts';
import { redisBackupController } from '../../../operators/redis/redis-backup-controller.ts';
import { redisClusterController } from '../../../operators/redis/redis-cluster-controller.ts';
import type { RespValue } from '../../../operators/redis/resp-client.ts';

const namespace = 'default';
const key = { name: 'example', namespace };
const slow = { timeout: 60_000 };
const hasProgram = isInstalled('redis-server', process.env['PATH'] ?? '');

describe.skipIf(process.platform !== 'linux' || !hasProgram)(
  `Redis, whose nodes are processes${hasProgram ? '' : ' (redis-server is not installed)'}`,
  () => {
    let drill: Drill;
    const admin = new RedisAdmin(tcpRedis, new AbortController().signal);
    beforeAll(async () => {
      drill = await startDrill({
        operator: 'redis',
        // The programs of the image are those of this machine.
        runProcesses: {
          redis: ({ command: [file = '', ...command], args }) => ({ file, args: [...command, ...args] }),
        },
        controllers: () => [redisClusterController(), redisBackupController],
      });
      await drill.client.create(RedisCluster, {
        metadata: key,
        spec: { masters: 3, replicas: 0, storage: { size: '1Gi', deleteClaims: true } },
      });
    });
    afterAll(async () => {
      admin[Symbol.dispose]();
      await drill?.end();
    });

    const untilMasters = (masters: number): Promise<void> =>
      eventually(async () => {
        const { status } = await drill.client.get(RedisCluster, key);
        expect(status).toMatchObject({ phase: 'Healthy', masters });
        expect(status?.nodes).toHaveLength(masters);
        expect(status?.nodes?.reduce((sum, { slots }) => sum + slots, 0)).toBe(16_384);
      }, slow);

    /** Sends a command about a key to the node that has it. */
    const call = async (...words: readonly string[]): Promise<RespValue> => {
      const seed = drill.plane.workloads.resolve('example-0-0.example-0.default.svc');
      try {
        return await admin.call(seed, ...words);
      } catch (error) {
        const [, host] = /MOVED \d+ (\S+):\d+/.exec(String(error)) ?? [];
        if (host === undefined) throw error;
        return admin.call(host, ...words);
      }
    };
    const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);
    const expectKeys = async (): Promise<void> =>
      expect(await Promise.all(keys.map((name) => call('GET', name)))).toEqual(keys);

    test('forms a cluster of three masters that serve all slots', async () => {
      await untilMasters(3);
      await Promise.all(keys.map((name) => call('SET', name, name)));
      await expectKeys();
    });

    test.runIf(isThorough)('grows to four masters and shrinks to three with its keys', async () => {
      const claims = async (): Promise<number> =>
        (await drill.client.list(PersistentVolumeClaim, { namespace })).items.length;
      for (const masters of [4, 3]) {
        await drill.client.patch(RedisCluster, key, { type: 'merge', body: { spec: { masters } } });
        await untilMasters(masters);
        await expectKeys();
        await eventually(async () => expect(await claims()).toBe(masters), slow);
      }
    });

    test.runIf(isThorough)('keeps its keys when a node is killed', async () => {
      drill.plane.workloads.pods({ name: 'example-1-0' }).crash({ exitCode: 137 });
      await eventually(expectKeys, slow);
      await untilMasters(3);
    });

    test.runIf(isThorough)('has replicas that follow the masters', async () => {
      await drill.client.patch(RedisCluster, key, { type: 'merge', body: { spec: { replicas: 1 } } });
      await eventually(async () => {
        const { status } = await drill.client.get(RedisCluster, key);
        expect(status?.phase).toBe('Healthy');
        expect(status?.nodes?.map(({ role }) => role)).toEqual(Array(3).fill(['Master', 'Replica']).flat());
      }, slow);
      await expectKeys();
    });

    test.runIf(isThorough)('is saved by a Job, shard by shard', async () => {
      await drill.client.create(RedisClusterBackup, {
        metadata: { name: 'nightly', namespace },
        spec: { cluster: key.name },
      });
      const { claim = '' } = await eventually(async () => {
        const { status } = await drill.client.get(RedisClusterBackup, { name: 'nightly', namespace });
        expect(status).toMatchObject({ phase: 'Succeeded', shards: 3 });
        return status ?? {};
      }, slow);
      expect(await savedKeys(claim)).toBe(keys.length);
    });

    /** Reads the saved files in a Pod. @returns the number of keys in all of them */
    const savedKeys = async (claim: string): Promise<number> => {
      await drill.client.create(Pod, {
        metadata: { name: 'reader', namespace },
        spec: {
          restartPolicy: 'Never',
          containers: [0, 1, 2].map((shard) => ({
            name: `shard-${shard}`,
            image: 'redis',
            command: ['redis-check-rdb', `/backup/${shard}.rdb`],
            volumeMounts: [{ name: 'backup', mountPath: '/backup' }],
          })),
          volumes: [{ name: 'backup', persistentVolumeClaim: { claimName: claim } }],
        },
      });
      await eventually(
        async () =>
          expect((await drill.client.get(Pod, { name: 'reader', namespace })).status?.phase).toBe(
            'Succeeded',
          ),
        slow,
      );
      const logs = await Promise.all(
        [0, 1, 2].map((shard) => drill.log({ name: 'reader', namespace }, `shard-${shard}`)),
      );
      await drill.client.delete(Pod, { name: 'reader', namespace });
      return logs.reduce((sum, log) => sum + Number(/(\d+) keys read/.exec(log)?.[1]), 0);
    };

    test.runIf(isThorough)('leaves nothing behind', async () => {
      await drill.client.delete(RedisCluster, key);
      await drill.client.delete(RedisClusterBackup, { name: 'nightly', namespace });
      await eventually(async () => {
        const claims = (await drill.client.list(PersistentVolumeClaim, { namespace })).items;
        expect(claims.map(({ metadata }) => metadata.name)).toEqual([]);
      }, slow);
    });
  },
);
