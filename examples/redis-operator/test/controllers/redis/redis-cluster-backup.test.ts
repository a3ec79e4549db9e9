import { CronJob, Job, type JobStatus } from 'opsdk/k8s/batch/v1';
import { Pod, Secret } from 'opsdk/k8s/core/v1';
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
    const kinds = [RedisClusterBackup, DistributedRedisCluster, Job, CronJob, Pod, Secret];
    api = await createTestApi({ kinds, crds });
    api.add(redisClusterBackupController);
    await createSecret({ accessKeyId: 'access', secretAccessKey: 'secret' });
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await api[Symbol.asyncDispose]();
  });

  const secretKey = { name: 's3-secret', namespace };
  const createSecret = (stringData: Readonly<Record<string, string>>) =>
    api.client.create(Secret, { metadata: secretKey, stringData });
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
      { name: 'RESULT_FILE', value: '/dev/termination-log' },
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

  /** Creates a Pod of a Job that has failed with a message. */
  const failPod = async ({ metadata }: Job, message: string, index: number): Promise<void> => {
    await api.advance('1s');
    const pod = { name: `${metadata.name}-${index}`, namespace };
    const labels = { 'batch.kubernetes.io/job-name': metadata.name ?? '' };
    await api.client.create(Pod, {
      metadata: { ...pod, labels },
      spec: { containers: [{ name: 'backup', image: 'example.com/redis-operator:v1' }] },
    });
    const terminated = { exitCode: 3, message };
    const container = { name: 'backup', ready: false, restartCount: 0, image: '', imageID: '' };
    await api.client.applyStatus(Pod, pod, {
      phase: 'Failed',
      containerStatuses: [{ ...container, state: { terminated } }],
    });
  };

  test.each([
    {
      title: 'what its newest Pod has written',
      messages: [
        '{"reason":"UnexpectedError","message":"S3: s3.example.com cannot be reached"}',
        '{"reason":"AccessDenied","message":"S3: PUT /backups/a: 403 SignatureDoesNotMatch"}',
      ],
      expected: { reason: 'AccessDenied', message: 'S3: PUT /backups/a: 403 SignatureDoesNotMatch' },
    },
    {
      title: 'what Kubernetes says, if its Pods have written nothing that can be read',
      messages: ['Killed', '{"reason":"has blanks","message":"x"}', '{"reason":"Other"}', '7', 'null'],
      expected: { reason: 'JobFailed', message: 'Job has reached the specified backoff limit' },
    },
  ])('has failed when its Job has, with $title', async ({ messages, expected }) => {
    await createCluster(true);
    await create();
    const job = await onlyJob();
    for (const [index, message] of messages.entries()) await failPod(job, message, index);
    await fail(job, 'Job has reached the specified backoff limit');
    expect(await status()).toMatchObject({ phase: 'Failed' });
    expect(await conditionOf('Complete')).toMatchObject({ status: 'False', ...expected });
    expect(await conditionOf('Degraded')).toMatchObject({ status: 'True', ...expected });
  });

  test('gives up at once what another attempt would not mend, and after a day in any case', async () => {
    await createCluster(true);
    await create();
    expect((await onlyJob()).spec).toMatchObject({
      ...{ backoffLimit: 3, activeDeadlineSeconds: 86_400 },
      podFailurePolicy: {
        rules: [{ action: 'FailJob', onExitCodes: { containerName: 'backup', operator: 'In', values: [3] } }],
      },
    });
  });

  test.each([
    { stringData: undefined, message: 'Secret s3-secret does not exist' },
    {
      stringData: { accessKeyId: 'access', secretAccessKey: '', password: 'x' },
      message:
        'Secret s3-secret: expected the keys accessKeyId and secretAccessKey, missing or empty: secretAccessKey',
    },
  ])('waits for its credentials: $message', async ({ stringData, message }) => {
    await api.client.delete(Secret, secretKey);
    if (stringData !== undefined) await createSecret(stringData);
    await createCluster(true);
    for (const schedule of [undefined, '0 3 * * *']) {
      await create(schedule === undefined ? {} : { schedule });
      expect(await status()).toMatchObject({ phase: 'Waiting' });
      const expected = { reason: 'CredentialsMissing', message };
      expect(await conditionOf('Complete')).toMatchObject({ status: 'False', ...expected });
      expect(await conditionOf('Degraded')).toMatchObject({ status: 'True', ...expected });
      if (schedule === undefined) await api.client.delete(RedisClusterBackup, key);
    }
    expect(await jobs()).toEqual([]);
    await api.client.delete(Secret, secretKey, { ignoreNotFound: true });
    await createSecret({ accessKeyId: 'access', secretAccessKey: 'secret' });
    await api.advance('15s');
    expect(await status()).toMatchObject({ phase: 'Scheduled' });
    expect(await conditionOf('Degraded')).toMatchObject({ status: 'False' });
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

    test.each(['0 25 * * *', '61 * * * *', '0 3 * * monday-ish'])(
      'says that %j is none, and goes on with another one',
      async (schedule) => {
        await createCluster(true);
        await create({ schedule });
        expect(await status()).toMatchObject({ phase: 'Waiting' });
        const degraded = await conditionOf('Degraded');
        expect(degraded).toMatchObject({ status: 'True', reason: 'ScheduleInvalid' });
        expect(degraded?.message).toMatch(/^spec\.schedule: /);
        expect(degraded?.message).toContain(`expected a schedule, got "${schedule}"`);
        expect(await api.client.find(CronJob, key)).toBeUndefined();
        await api.client.patch(RedisClusterBackup, key, {
          type: 'merge',
          body: { spec: { schedule: '0 3 * * *' } },
        });
        await api.settle();
        expect(await status()).toMatchObject({ phase: 'Scheduled' });
        expect(await conditionOf('Degraded')).toMatchObject({ status: 'False' });
      },
    );

    test('shows the newest backup, and a later failure', async () => {
      await createCluster(true);
      await create({ schedule: '0 3 * * *' });
      const first = await runJob('nightly-1', startTime);
      expect(await status()).toMatchObject({ phase: 'Running' });
      await succeed(first);
      const lastBackup = { path: 'team/default/nightly/nightly-1', completionTime };
      expect(await status()).toMatchObject({ phase: 'Scheduled', lastBackup });
      await api.advance('1m');
      await fail(await runJob('nightly-2', completionTime), 'the store refuses');
      expect(await status()).toMatchObject({ phase: 'Scheduled', lastBackup });
      expect(await conditionOf('Complete')).toMatchObject({ status: 'True' });
      expect(await conditionOf('Degraded')).toMatchObject({ status: 'True', message: 'the store refuses' });
      await api.advance('1m');
      await succeed(await runJob('nightly-3', completionTime));
      expect((await status())?.lastBackup?.path).toBe('team/default/nightly/nightly-3');
      expect(await conditionOf('Degraded')).toMatchObject({ status: 'False' });
    });

    test('shows a backup that is stored, also if older ones could not be deleted', async () => {
      await createCluster(true);
      await create({ schedule: '0 3 * * *', retention: 1 });
      const job = await runJob('nightly-1', startTime);
      const message = 'Older backups are not deleted: S3: DELETE /backups/a: 403 AccessDenied';
      await failPod(job, JSON.stringify({ reason: 'RetentionFailed', message }), 0);
      await fail(job, 'Job has reached a limit');
      const path = 'team/default/nightly/nightly-1';
      expect(await status()).toMatchObject({ lastBackup: { path, completionTime: lastTransitionTime } });
      expect(await conditionOf('Complete')).toMatchObject({ status: 'True' });
      expect(await conditionOf('Degraded')).toMatchObject({
        ...{ status: 'True', reason: 'RetentionFailed', message },
      });
    });
  });
});
