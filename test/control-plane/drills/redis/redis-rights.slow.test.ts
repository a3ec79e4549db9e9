// The operator has the rights that its role grants, and needs all of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CronJob } from '../../../../src/sdk/k8s/generated/batch/v1.ts';
import { PersistentVolumeClaim, Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  DistributedRedisCluster,
  type DistributedRedisClusterSpec,
} from '../../../../examples/redis-operator/src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { RedisClusterBackup } from '../../../../examples/redis-operator/src/api/redis/v1alpha1/redis-cluster-backup.ts';
import { FakeS3 } from '../../../../examples/redis-operator/test/fixtures/fake-s3.ts';
import { isInstalled } from '../../../helpers/guide.ts';
import { namespace, RedisDrill, slow } from './redis-drill.ts';

const key = { name: 'example', namespace };
const hasProgram = isInstalled('redis-server', process.env['PATH'] ?? '');

describe.skipIf(process.platform !== 'linux' || !hasProgram)('the role of the Redis operator', () => {
  let redis: RedisDrill;
  let s3: FakeS3;
  beforeAll(async () => {
    redis = await RedisDrill.start('secret');
    s3 = await FakeS3.start();
  }, 300_000);
  afterAll(async () => {
    await redis?.[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
  });

  test('grants what the life of a cluster needs, and no more', { timeout: 600_000 }, async () => {
    const { client, rights } = redis.drill;
    const change = async (spec: DistributedRedisClusterSpec, masters: number): Promise<void> => {
      await client.patch(DistributedRedisCluster, key, { type: 'merge', body: { spec } });
      await redis.untilHealthy('example', masters, 0);
    };
    const storage = { type: 'persistent-claim', size: '1Gi', deleteClaim: true } as const;
    const passwordSecret = { name: 'redis-password' };
    await client.create(DistributedRedisCluster, {
      metadata: key,
      spec: { masterSize: 3, clusterReplicas: 0, passwordSecret, storage },
    });
    // It waits for its password, and says so.
    await eventually(async () => {
      const { status } = await client.get(DistributedRedisCluster, key);
      expect(status?.conditions?.map(({ reason }) => reason)).toContain('PasswordMissing');
    }, slow);
    for (const [name, stringData] of Object.entries({
      'redis-password': { password: redis.password },
      's3-secret': { accessKeyId: 'access', secretAccessKey: 'secret' },
    }))
      await client.create(Secret, { metadata: { name, namespace }, stringData });
    await redis.untilHealthy('example', 3, 0);

    await change({ storage: { ...storage, size: '2Gi' } }, 3);
    await eventually(async () => {
      const { items } = await client.list(PersistentVolumeClaim, { namespace });
      expect(items.map(({ spec }) => spec?.resources?.requests?.['storage'])).toEqual(Array(3).fill('2Gi'));
    }, slow);
    await change({ config: { 'maxmemory-policy': 'allkeys-lru' } }, 3);
    await change({ masterSize: 4 }, 4);
    await change({ masterSize: 3 }, 3);

    const spec = {
      image: 'example.com/redis-operator:v1',
      redisClusterName: key.name,
      storageSecretName: 's3-secret',
      s3: { endpoint: s3.endpoint, bucket: s3.bucket },
    };
    await client.create(RedisClusterBackup, { metadata: { name: 'once', namespace }, spec });
    await client.create(RedisClusterBackup, {
      metadata: { name: 'nightly', namespace },
      spec: { ...spec, schedule: '0 3 * * *' },
    });
    await eventually(async () => {
      const { status } = await client.get(RedisClusterBackup, { name: 'once', namespace });
      expect(status?.phase, JSON.stringify(status?.conditions)).toBe('Succeeded');
      expect(await client.find(CronJob, { name: 'nightly', namespace })).toBeDefined();
    }, slow);
    await client.delete(DistributedRedisCluster, key);
    await eventually(
      async () => expect(await client.find(DistributedRedisCluster, key)).toBeUndefined(),
      slow,
    );

    expect(await rights?.judge()).toMatchObject({ forbidden: [], unused: [], openEnded: [] });
  });
});
