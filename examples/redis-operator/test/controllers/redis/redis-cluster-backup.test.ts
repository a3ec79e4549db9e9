import { CronJob, Job, type JobStatus } from 'opsdk/k8s/batch/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DistributedRedisCluster } from '../../../src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import {
  RedisClusterBackup,
  type RedisClusterBackupSpec,
} from '../../../src/api/redis/v1alpha1/redis-cluster-backup.ts';
import { redisClusterBackupController } from '../../../src/controllers/redis/redis-cluster-backup.ts';
import { crds } from '../../fixtures/redis-cluster-fixture.ts';

const namespace = 'default';
const key = { name: 'nightly', namespace };
const clusterKey = { name: 'example', namespace };
const startTime = '2026-01-01T00:00:00Z';
const completionTime = '2026-01-01T00:01:00Z';
const lastTransitionTime = completionTime;
const condition = (type: string, message = '') => ({ type, message, status: 'True', lastTransitionTime });

describe('RedisClusterBackup', () => {
  let api: TestApi;
  beforeEach(async () => {
    vi.stubEnv('RELATED_IMAGE_OPERATOR', 'example.com/redis-operator:v1');
    api = await createTestApi({ kinds: [RedisClusterBackup, DistributedRedisCluster, Job, CronJob], crds });
    api.add(redisClusterBackupController);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await api[Symbol.asyncDispose]();
  });

  const create = async (spec: Partial<RedisClusterBackupSpec> = {}): Promise<void> => {
    await api.client.create(RedisClusterBackup, {
      metadata: key,
      spec: {
        redisClusterName: clusterKey.name,
        storageSecretName: 's3-secret',
        s3: { endpoint: 'https://s3.example.com', bucket: 'backups', prefix: 'team/' },
        ...spec,
      },
    });
    await api.settle();
  };
  const createCluster = async (isReady: boolean): Promise<void> => {
    await api.client.create(DistributedRedisCluster, {
      metadata: clusterKey,
      spec: { passwordSecret: { name: 'redis-password' } },
    });
    await setReady(isReady);
  };
  const setReady = async (isReady: boolean): Promise<void> => {
    const status = isReady ? 'True' : 'False';
    await api.client.applyStatus(DistributedRedisCluster, clusterKey, {
      conditions: [{ type: 'Ready', status, reason: 'Test', message: '', lastTransitionTime }],
    });
    await api.settle();
  };
  const status = async () => (await api.client.get(RedisClusterBackup, key)).status;
  const conditionOf = async (type: string) =>
    (await status())?.conditions?.find((each) => each.type === type);
  const jobs = async () => (await api.client.list(Job, { namespace })).items;
  const onlyJob = async (): Promise<Job> => {
    const [job, ...others] = await jobs();
    if (job === undefined || others.length > 0) throw new Error(`expected one Job, got ${others.length + 1}`);
    return job;
  };
  const setJob = async ({ metadata }: Job, jobStatus: JobStatus): Promise<void> => {
    const body = { status: { startTime, ...jobStatus } };
    await api.client.patch(Job, metadata, { type: 'merge', body }, { subresource: 'status' });
    await api.settle();
  };
  const succeed = (job: Job): Promise<void> =>
    setJob(job, {
      completionTime,
      succeeded: 1,
      conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
    });
  const fail = (job: Job, message: string): Promise<void> =>
    setJob(job, {
      failed: 4,
      conditions: [condition('FailureTarget', message), condition('Failed', message)],
    });

  test('waits for a cluster that is ready', async () => {
    await create();
    const message = 'DistributedRedisCluster example is not ready';
    expect(await status()).toMatchObject({ phase: 'Waiting' });
    expect(await conditionOf('Complete')).toMatchObject({
      status: 'False',
      reason: 'ClusterNotReady',
      message,
    });
    await createCluster(false);
    expect(await jobs()).toEqual([]);
    await setReady(true);
    expect(await status()).toMatchObject({ phase: 'Running' });
    expect(api.events).toMatchObject([{ reason: 'BackupStarted', note: 'of example' }]);
  });

  test('runs the image of the operator, with credentials of the namespace', async () => {
    await createCluster(true);
    await create();
    const { template } = (await onlyJob()).spec ?? {};
    const [container] = template?.spec?.containers ?? [];
    expect(container).toMatchObject({ image: 'example.com/redis-operator:v1', args: ['backup'] });
    const fromSecret = (name: string, secret: string, secretKey: string) => ({
      name,
      valueFrom: { secretKeyRef: { name: secret, key: secretKey } },
    });
    expect(container?.env).toMatchObject([
      { name: 'REDIS_HOST', value: 'example.default.svc' },
      fromSecret('REDIS_PASSWORD', 'redis-password', 'password'),
      { name: 'S3_ENDPOINT', value: 'https://s3.example.com' },
      { name: 'S3_BUCKET', value: 'backups' },
      { name: 'S3_REGION', value: 'us-east-1' },
      fromSecret('S3_ACCESS_KEY_ID', 's3-secret', 'accessKeyId'),
      fromSecret('S3_SECRET_ACCESS_KEY', 's3-secret', 'secretAccessKey'),
      fromSecret('S3_SESSION_TOKEN', 's3-secret', 'sessionToken'),
      { name: 'BACKUP_PATH', value: 'team/default/nightly' },
      { name: 'BACKUP_NAME' },
    ]);
  });

  test('runs the image of its spec', async () => {
    await createCluster(true);
    await create({ image: 'example.com/operator/redis-tools:5.0.4' });
    const [container] = (await onlyJob()).spec?.template.spec?.containers ?? [];
    expect(container?.image).toBe('example.com/operator/redis-tools:5.0.4');
  });

  test('says that it does not know its image', async () => {
    vi.stubEnv('RELATED_IMAGE_OPERATOR', '');
    await createCluster(true);
    await expect(create()).rejects.toThrow('the image of backups is unknown');
    expect(await conditionOf('Degraded')).toMatchObject({ status: 'True', reason: 'ReconcileFailed' });
  });

  test('has succeeded when its Job has, and is not taken again', async () => {
    await createCluster(true);
    await create();
    const job = await onlyJob();
    await succeed(job);
    const path = `team/default/nightly/${job.metadata.name}`;
    expect(await status()).toMatchObject({ phase: 'Succeeded', lastBackup: { path, completionTime } });
    expect(await conditionOf('Complete')).toMatchObject({ status: 'True', message: `stored in ${path}` });
    await api.client.delete(Job, job.metadata, { propagationPolicy: 'Background' });
    await api.settle();
    expect(await jobs()).toEqual([]);
    expect(await status()).toMatchObject({ phase: 'Succeeded', lastBackup: { path } });
  });

  test('has failed when its Job has, with the reason', async () => {
    await createCluster(true);
    await create();
    const message = 'Job has reached the specified backoff limit';
    await fail(await onlyJob(), message);
    expect(await status()).toMatchObject({ phase: 'Failed' });
    expect(await conditionOf('Complete')).toMatchObject({ status: 'False', reason: 'JobFailed', message });
    expect(await conditionOf('Degraded')).toMatchObject({ status: 'True', reason: 'JobFailed', message });
  });

  test('goes on while the cluster is not ready any more', async () => {
    await createCluster(true);
    await create();
    await setReady(false);
    await succeed(await onlyJob());
    expect(await status()).toMatchObject({ phase: 'Succeeded' });
  });

  describe('with a schedule', () => {
    const runJob = async (name: string, creationTimestamp: string): Promise<Job> => {
      const cronJob = await api.client.get(CronJob, key);
      const { metadata, spec } = cronJob.spec?.jobTemplate ?? {};
      const { uid = '' } = cronJob.metadata;
      const job = await api.client.create(Job, {
        metadata: {
          ...{ name, namespace, labels: metadata?.labels ?? {}, creationTimestamp },
          ownerReferences: [
            { apiVersion: 'batch/v1', kind: 'CronJob', name: key.name, uid, controller: true },
          ],
        },
        spec: spec ?? { template: {} },
      });
      await api.settle();
      return job;
    };

    test('is taken by a CronJob, one at a time', async () => {
      await create({ schedule: '0 3 * * *', retention: 7 });
      expect(await status()).toMatchObject({ phase: 'Waiting' });
      await createCluster(false);
      expect((await api.client.get(CronJob, key)).spec).toMatchObject({
        schedule: '0 3 * * *',
        timeZone: 'Etc/UTC',
        concurrencyPolicy: 'Forbid',
      });
      const { spec } = (await api.client.get(CronJob, key)).spec?.jobTemplate ?? {};
      expect(spec?.template.spec?.containers[0]?.env).toContainEqual({ name: 'BACKUP_KEEP', value: '7' });
      expect(await status()).toMatchObject({ phase: 'Scheduled' });
      expect(await jobs()).toEqual([]);
    });

    test('shows the newest backup, and a later failure', async () => {
      await createCluster(true);
      await create({ schedule: '0 3 * * *' });
      const first = await runJob('nightly-1', startTime);
      expect(await status()).toMatchObject({ phase: 'Running' });
      await succeed(first);
      const lastBackup = { path: 'team/default/nightly/nightly-1', completionTime };
      expect(await status()).toMatchObject({ phase: 'Scheduled', lastBackup });
      await api.advance('24h');
      await fail(await runJob('nightly-2', completionTime), 'the store refuses');
      expect(await status()).toMatchObject({ phase: 'Scheduled', lastBackup });
      expect(await conditionOf('Complete')).toMatchObject({ status: 'True' });
      expect(await conditionOf('Degraded')).toMatchObject({ status: 'True', message: 'the store refuses' });
      await api.advance('24h');
      await succeed(await runJob('nightly-3', completionTime));
      expect((await status())?.lastBackup?.path).toBe('team/default/nightly/nightly-3');
      expect(await conditionOf('Degraded')).toMatchObject({ status: 'False' });
    });
  });
});
