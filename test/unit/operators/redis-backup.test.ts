import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Job, type JobStatus } from '../../../src/sdk/k8s/generated/batch/v1.ts';
import { PersistentVolumeClaim } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { createTestApi, readCrdDefinitions, type TestApi } from '../../../src/testing/index.ts';
import { withOperatorCrds } from '../../helpers/operator-crds.ts';
import { RedisClusterBackup } from '../../operators/redis/api/redis-cluster-backup.ts';
import { RedisCluster, type RedisClusterStatus } from '../../operators/redis/api/redis-cluster.ts';
import { redisBackupController } from '../../operators/redis/redis-backup-controller.ts';

const key = { name: 'nightly', namespace: 'default' };
const clusterKey = { ...key, name: 'example' };
const jobKey = { ...key, name: 'nightly-backup' };
const startTime = '2026-01-01T00:00:00Z';
const completionTime = '2026-01-01T00:01:00Z';
const condition = (type: string, message = '') => ({
  type,
  message,
  status: 'True',
  lastTransitionTime: completionTime,
});

describe('RedisClusterBackup', () => {
  let crds: readonly object[];
  let api: TestApi;
  beforeAll(async () => {
    crds = await withOperatorCrds('redis', (folder) => readCrdDefinitions([folder]));
  });
  beforeEach(async () => {
    api = await createTestApi({
      kinds: [RedisClusterBackup, RedisCluster, Job, PersistentVolumeClaim],
      crds,
    });
    api.add(redisBackupController);
    await api.client.create(RedisClusterBackup, {
      metadata: key,
      spec: { cluster: clusterKey.name, size: '5Gi' },
    });
    await api.settle();
  });
  afterEach(() => api[Symbol.asyncDispose]());

  const status = async () => (await api.client.get(RedisClusterBackup, key)).status;
  const complete = async () => (await status())?.conditions?.find(({ type }) => type === 'Complete');
  const createCluster = async (phase: RedisClusterStatus['phase']): Promise<void> => {
    await api.client.create(RedisCluster, { metadata: clusterKey, spec: { masters: 3, image: 'redis:8' } });
    await setPhase(phase);
  };
  const setPhase = async (phase: RedisClusterStatus['phase']): Promise<void> => {
    const nodes = [0, 1, 2].flatMap(
      (shard) =>
        [
          {
            id: `master-${shard}`,
            pod: `example-${shard}-0`,
            ip: `10.0.0.${shard}`,
            role: 'Master',
            slots: 5461,
          },
          {
            id: `replica-${shard}`,
            pod: `example-${shard}-1`,
            ip: `10.0.1.${shard}`,
            role: 'Replica',
            slots: 0,
          },
        ] as const,
    );
    await api.client.applyStatus(RedisCluster, clusterKey, { phase, nodes });
    await api.settle();
  };
  const setJob = async (jobStatus: JobStatus): Promise<void> => {
    const body = { status: { startTime, ...jobStatus } };
    await api.client.patch(Job, jobKey, { type: 'merge', body }, { subresource: 'status' });
    await api.settle();
  };
  const succeed = (): Promise<void> =>
    setJob({
      completionTime,
      succeeded: 3,
      completedIndexes: '0-2',
      conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
    });
  const fail = (message: string): Promise<void> =>
    setJob({ failed: 3, conditions: [condition('FailureTarget', message), condition('Failed', message)] });

  test('waits for a cluster that is healthy', async () => {
    const message = 'RedisCluster example is not healthy';
    expect(await status()).toMatchObject({ phase: 'Waiting' });
    expect(await complete()).toMatchObject({ status: 'False', reason: 'Waiting', message });
    await createCluster('Scaling');
    expect(await status()).toMatchObject({ phase: 'Waiting' });
    expect(await api.client.find(Job, jobKey)).toBeUndefined();
    await setPhase('Healthy');
    expect(await status()).toMatchObject({ phase: 'Running', claim: 'nightly-backup', shards: 3 });
    expect(await complete()).toMatchObject({ status: 'False', reason: 'Running', message: '' });
    expect(api.events).toMatchObject([{ reason: 'BackupStarted', note: 'Started the backup of example' }]);
  });

  test('saves each master by a Pod of a Job, in a claim', async () => {
    await createCluster('Healthy');
    const { spec } = await api.client.get(PersistentVolumeClaim, jobKey);
    expect(spec?.resources?.requests).toEqual({ storage: '5Gi' });
    const job = await api.client.get(Job, jobKey);
    expect(job.spec).toMatchObject({ completions: 3, parallelism: 3, completionMode: 'Indexed' });
    const [container] = job.spec?.template.spec?.containers ?? [];
    expect(container).toMatchObject({
      image: 'redis:8',
      env: [
        { name: 'MASTER_0', value: '10.0.0.0' },
        { name: 'MASTER_1', value: '10.0.0.1' },
        { name: 'MASTER_2', value: '10.0.0.2' },
        { name: 'JOB_COMPLETION_INDEX' },
        { name: 'FILE', value: '/backup/$(JOB_COMPLETION_INDEX).rdb' },
      ],
    });
    expect(job.spec?.template.spec?.volumes).toMatchObject([
      { name: 'backup', persistentVolumeClaim: { claimName: 'nightly-backup' } },
    ]);
  });

  test('has succeeded when its Job has, and is left alone from then on', async () => {
    await createCluster('Healthy');
    await setJob({ active: 3 });
    expect(await status()).toMatchObject({ phase: 'Running' });
    await succeed();
    expect(await status()).toMatchObject({ phase: 'Succeeded', claim: 'nightly-backup', shards: 3 });
    expect(await complete()).toMatchObject({ status: 'True', reason: 'Saved' });
    await api.client.delete(Job, jobKey, { propagationPolicy: 'Background' });
    await api.settle();
    expect(await api.client.find(Job, jobKey)).toBeUndefined();
    expect(await status()).toMatchObject({ phase: 'Succeeded' });
  });

  test('has failed when its Job has, with the reason, and is not tried again', async () => {
    await createCluster('Healthy');
    await fail('Job has reached the specified backoff limit');
    expect(await status()).toMatchObject({ phase: 'Failed' });
    const message = 'Job has reached the specified backoff limit';
    expect(await complete()).toMatchObject({ status: 'False', reason: 'Failed', message });
    await api.client.delete(Job, jobKey, { propagationPolicy: 'Background' });
    await api.settle();
    expect(await api.client.find(Job, jobKey)).toBeUndefined();
  });

  test('starts again when its Job was deleted while it ran', async () => {
    await createCluster('Healthy');
    await api.client.delete(Job, jobKey, { propagationPolicy: 'Background' });
    await api.settle();
    expect(await api.client.find(Job, jobKey)).toBeDefined();
    expect(await status()).toMatchObject({ phase: 'Running' });
  });

  test('goes on while the cluster is not healthy any more', async () => {
    await createCluster('Healthy');
    await setPhase('Scaling');
    await succeed();
    expect(await status()).toMatchObject({ phase: 'Succeeded' });
  });

  test('cannot be changed', async () => {
    const change = api.client.patch(RedisClusterBackup, key, {
      type: 'merge',
      body: { spec: { cluster: 'other' } },
    });
    await expect(change).rejects.toThrow('a backup does not change');
  });
});
