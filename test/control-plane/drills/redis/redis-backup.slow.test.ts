// The life of a Redis cluster by manifests, with backups in a server of S3 that checks signatures. The first run builds the server with Go.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramsUnavailable } from '../../../../scripts/lib/go-programs.mjs';
import { orUnavailable } from '../../../../scripts/lib/test-programs.mjs';
import {
  DistributedRedisCluster,
  type DistributedRedisClusterSpec,
  type RedisNode,
} from '../../../../examples/redis-operator/src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import {
  RedisClusterBackup,
  type RedisClusterBackupSpec,
} from '../../../../examples/redis-operator/src/api/redis/v1alpha1/redis-cluster-backup.ts';
import { S3Store } from '../../../../examples/redis-operator/src/backup/s3-store.ts';
import { CronJob, Job } from '../../../../src/sdk/k8s/generated/batch/v1.ts';
import { Namespace, PersistentVolumeClaim, Pod, Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { StorageClass } from '../../../../src/sdk/k8s/generated/storage/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { isInstalled } from '../../../helpers/guide.ts';
import { startS3 } from '../../../helpers/object-stores.ts';
import { readManifestFile } from '../../../helpers/manifest-file.ts';
import { RedisDrill, slow } from './redis-drill.ts';

/** Namespace of the cluster and its backups. Clusters that begin with one are in `default`. */
const namespace = 'shu';
const clusterKey = { name: 'example-distributedrediscluster', namespace };
const bucket = 'ucloud';
const hasProgram = isInstalled('redis-server', process.env['PATH'] ?? '');
const s3 = hasProgram
  ? await orUnavailable(startS3(bucket))
  : new ProgramsUnavailable('redis-server is not installed');
const unavailable = s3 instanceof ProgramsUnavailable ? ` (${s3.message})` : '';

describe.skipIf(process.platform !== 'linux' || unavailable !== '')(
  `Redis and its backups in S3${unavailable}`,
  { timeout: 240_000 },
  () => {
    let redis: RedisDrill;
    let nodes: readonly RedisNode[] = [];
    beforeAll(async () => {
      if (s3 instanceof ProgramsUnavailable) return;
      redis = await RedisDrill.start();
      const { client } = redis.drill;
      await client.create(Namespace, { metadata: { name: namespace } });
      const { accessKeyId, secretAccessKey } = s3;
      for (const each of [namespace, 'default'])
        await createSecret('s3-secret', each, secretAccessKey, accessKeyId);
      const [standard] = (await client.list(StorageClass)).items;
      await client.create(StorageClass, {
        metadata: { name: 'csi-rbd-sc' },
        provisioner: standard?.provisioner ?? '',
        volumeBindingMode: 'WaitForFirstConsumer',
      });
    }, 240_000);
    afterAll(async () => {
      await redis?.[Symbol.asyncDispose]();
      if (!(s3 instanceof ProgramsUnavailable)) await s3[Symbol.asyncDispose]();
    });

    const createSecret = (name: string, of: string, secretAccessKey: string, accessKeyId: string) =>
      redis.drill.client.create(Secret, {
        metadata: { name, namespace: of },
        stringData: { accessKeyId, secretAccessKey },
      });
    const endpoint = s3 instanceof ProgramsUnavailable ? '' : s3.endpoint;
    /** Reads a manifest for a namespace. @param edit changes its text */
    const place = <Spec>(file: string, of: string, edit?: (text: string) => string) => {
      const { metadata, spec } = readManifestFile<Spec>(join(import.meta.dirname, 'manifests', file), edit);
      return { metadata: { ...metadata, namespace: of }, spec };
    };
    const applyCluster = (...manifest: Parameters<typeof place>) =>
      redis.drill.client.apply(DistributedRedisCluster, place<DistributedRedisClusterSpec>(...manifest));
    const applyBackup = (...manifest: Parameters<typeof place>) =>
      redis.drill.client.apply(RedisClusterBackup, place<RedisClusterBackupSpec>(...manifest));
    const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);
    const expiresAt = Date.now() + 3_600_000;
    const expectKeys = async (of: readonly RedisNode[]): Promise<void> =>
      expect(await Promise.all(keys.map((name) => redis.call(of[0], 'GET', name)))).toEqual(keys);
    /** Waits for a cluster that begins with the backup, and looks for its keys, one of which ends at a time. */
    const expectRestored = async (name: string, masters: number, replicas: number): Promise<void> => {
      const restored = await redis.untilHealthy(name, masters, replicas);
      await expectKeys(restored);
      expect(await redis.call(restored[0], 'PEXPIRETIME', 'key-0')).toBe(expiresAt);
    };
    const createBackup = (name: string, spec: Partial<RedisClusterBackupSpec>) =>
      redis.drill.client.create(RedisClusterBackup, {
        metadata: { name, namespace },
        spec: {
          image: 'example.com/redis-operator:v1',
          redisClusterName: clusterKey.name,
          storageSecretName: 's3-secret',
          s3: { endpoint, bucket },
          ...spec,
        },
      });
    const backup = async (name: string) =>
      (await redis.drill.client.get(RedisClusterBackup, { name, namespace })).status;

    test('S2.1: a cluster comes from a manifest', async () => {
      await applyCluster('cluster.yaml', namespace);
      nodes = await redis.untilHealthy(clusterKey.name, 3, 3, namespace);
      await Promise.all(keys.map((name) => redis.call(nodes[0], 'SET', name, name)));
      const claims = (await redis.drill.client.list(PersistentVolumeClaim, { namespace })).items;
      expect(claims).toHaveLength(6);
      for (const { spec } of claims)
        expect(spec).toMatchObject({
          storageClassName: 'csi-rbd-sc',
          resources: { requests: { storage: '10Gi' } },
        });
    });

    test('S2.2: it grows to four masters and shrinks to three by the edited manifest', async () => {
      for (const masterSize of [4, 3]) {
        await applyCluster('cluster.yaml', namespace, (text) =>
          text.replace('masterSize: 3', `masterSize: ${masterSize}`),
        );
        nodes = await redis.untilHealthy(clusterKey.name, masterSize, masterSize, namespace);
        await expectKeys(nodes);
      }
    });

    test('S2.3: it is stored in a bucket', async () => {
      await redis.call(nodes[0], 'PEXPIREAT', 'key-0', String(expiresAt));
      await applyBackup('backup.yaml', namespace, (text) =>
        text.replace('http://s3.example.com:8080', endpoint),
      );
      await eventually(async () => {
        const status = await backup('example-redisclusterbackup');
        expect(status, JSON.stringify(status?.conditions)).toMatchObject({ phase: 'Succeeded' });
      }, slow);
    });

    test('S2.4, AS13: a cluster of another namespace begins with the backup', async () => {
      await applyCluster('restore.yaml', 'default');
      await expectRestored('restore', 3, 3);
      const { status } = await redis.drill.client.get(DistributedRedisCluster, {
        ...{ name: 'restore', namespace: 'default' },
      });
      const { lastBackup } = (await backup('example-redisclusterbackup')) ?? {};
      expect(status?.restoredFrom).toBe(lastBackup?.path);
    });

    test('three shards are restored into five', async () => {
      await redis.drill.client.create(DistributedRedisCluster, {
        metadata: { name: 'wider', namespace: 'default' },
        spec: {
          ...{ masterSize: 5, clusterReplicas: 0 },
          init: { backupSource: { name: 'example-redisclusterbackup', namespace } },
        },
      });
      await expectRestored('wider', 5, 0);
    });

    test('as many backups are kept as the retention says', async () => {
      await createBackup('nightly', { schedule: '0 3 * * *', retention: 2 });
      const cronKey = { name: 'nightly', namespace };
      const { metadata: cron, spec } = await eventually(() => redis.drill.client.get(CronJob, cronKey));
      for (const name of ['nightly-1', 'nightly-2', 'nightly-3']) {
        const { apiVersion, kind } = { apiVersion: 'batch/v1', kind: 'CronJob' };
        await redis.drill.client.create(Job, {
          metadata: {
            ...{ name, namespace, labels: spec?.jobTemplate.metadata?.labels ?? {} },
            ownerReferences: [{ apiVersion, kind, name: 'nightly', uid: cron.uid ?? '', controller: true }],
          },
          spec: spec?.jobTemplate.spec ?? { template: {} },
        });
        await eventually(async () => {
          const status = await backup('nightly');
          const path = `${namespace}/nightly/${name}`;
          expect(status, JSON.stringify(status?.conditions)).toMatchObject({ lastBackup: { path } });
        }, slow);
      }
      if (s3 instanceof ProgramsUnavailable) return;
      const files = await new S3Store({ ...s3, bucket }).list(`${namespace}/nightly/`);
      const folders = new Set(files.map(({ key }) => key.split('/').at(2)));
      expect([...folders]).toEqual(['nightly-2', 'nightly-3']);
    });

    test.each([
      {
        name: 'other-key',
        spec: { storageSecretName: 'wrong' },
        reason: 'AccessDenied',
        message: '403 SignatureDoesNotMatch',
      },
      {
        name: 'other-bucket',
        spec: { s3: { endpoint, bucket: 'missing' } },
        reason: 'BucketNotFound',
        message: 'S3: bucket missing does not exist',
      },
    ])('what the store refuses is said: $reason', async ({ name, spec, reason, message }) => {
      if (spec.storageSecretName === 'wrong' && !(s3 instanceof ProgramsUnavailable))
        await createSecret('wrong', namespace, 'another-key-of-nobody', s3.accessKeyId);
      await createBackup(name, spec);
      await eventually(async () => expect(await backup(name)).toMatchObject({ phase: 'Failed' }), slow);
      const conditions = (await backup(name))?.conditions ?? [];
      for (const [type, status] of Object.entries({ Complete: 'False', Degraded: 'True' })) {
        const condition = conditions.find((each) => each.type === type);
        expect(condition).toMatchObject({ status, reason });
        expect(condition?.message).toContain(message);
        expect(condition?.message).not.toContain('another-key-of-nobody');
      }
      const labelSelector = `app.kubernetes.io/instance=${name}`;
      const jobs = (await redis.drill.client.list(Job, { namespace, labelSelector })).items;
      // Another attempt would be refused as well.
      expect(jobs.map(({ status }) => status?.failed)).toEqual([1]);
    });

    test('nothing is left of deleted clusters, and the backups are', async () => {
      for (const key of [
        clusterKey,
        { name: 'restore', namespace: 'default' },
        { name: 'wider', namespace: 'default' },
      ])
        await redis.drill.client.delete(DistributedRedisCluster, key);
      await eventually(async () => {
        for (const each of [namespace, 'default']) {
          const claims = (await redis.drill.client.list(PersistentVolumeClaim, { namespace: each })).items;
          const labelSelector = 'redis.kun/cluster';
          const pods = (await redis.drill.client.list(Pod, { namespace: each, labelSelector })).items;
          expect([...claims, ...pods].map(({ metadata }) => metadata.name)).toEqual([]);
        }
      }, slow);
      expect(await backup('example-redisclusterbackup')).toMatchObject({ phase: 'Succeeded' });
    });
  },
);
