import { Job } from 'opsdk/k8s/batch/v1';
import { Secret } from 'opsdk/k8s/core/v1';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RedisClusterBackup } from '../../src/api/redis/v1alpha1/redis-cluster-backup.ts';
import { key, RedisClusterFixture } from '../fixtures/redis-cluster-fixture.ts';

const source = { name: 'nightly', namespace: 'default' };
const jobKey = { ...key, name: 'example-restore' };
const path = 'default/nightly/nightly-1';
const time = '2026-01-01T00:00:00Z';

describe('DistributedRedisCluster with a backup source', () => {
  let cluster: RedisClusterFixture;
  beforeEach(async () => {
    cluster = await RedisClusterFixture.start();
    await cluster.form({ clusterReplicas: 0, init: { backupSource: { name: source.name } } });
  });
  afterEach(() => cluster[Symbol.asyncDispose]());

  const createSecret = () =>
    cluster.api.client.create(Secret, {
      metadata: { name: 's3-secret', namespace: 'default' },
      stringData: { accessKeyId: 'access', secretAccessKey: 'secret' },
    });
  const storeBackup = async (): Promise<void> => {
    await cluster.api.client.create(RedisClusterBackup, {
      metadata: source,
      spec: {
        image: 'example.com/redis-operator:v1',
        redisClusterName: 'other',
        storageSecretName: 's3-secret',
        s3: { endpoint: 'https://s3.example.com', bucket: 'backups' },
      },
    });
    await cluster.api.client.applyStatus(RedisClusterBackup, source, { lastBackup: { path } });
    await cluster.api.advance('1s');
  };
  const endJob = async (type: 'Complete' | 'Failed', message = ''): Promise<void> => {
    const criteria = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
    const conditions = [criteria, type].map((each) => ({
      ...{ type: each, status: 'True', message, lastTransitionTime: time },
    }));
    const status = {
      ...{ startTime: time, conditions },
      ...(type === 'Complete' && { completionTime: time, succeeded: 1 }),
    };
    const body = { status };
    await cluster.api.client.patch(Job, jobKey, { type: 'merge', body }, { subresource: 'status' });
    await cluster.api.advance('1s');
  };

  test('waits for the backup, and is not ready before it is restored', async () => {
    expect(await cluster.status()).toMatchObject({ phase: 'Restoring' });
    const message = 'RedisClusterBackup default/nightly has no backup yet';
    const expectPending = async (expected: string): Promise<void> => {
      expect(await cluster.condition('Ready')).toMatchObject({
        ...{ status: 'False', reason: 'NotRestored', message: expected },
      });
    };
    await expectPending(message);
    await storeBackup();
    await expectPending('Secret s3-secret does not exist in Namespace default');
    expect(await cluster.api.client.find(Job, jobKey)).toBeUndefined();
    await createSecret();
    await cluster.api.advance('15s');
    const job = await cluster.api.client.get(Job, jobKey);
    const [container] = job.spec?.template.spec?.containers ?? [];
    expect(container).toMatchObject({ image: 'example.com/redis-operator:v1', args: ['restore'] });
    expect(container?.env).toContainEqual({ name: 'BACKUP_PATH', value: path });
    expect(await cluster.status()).toMatchObject({ phase: 'Restoring', restoredFrom: path });
    await endJob('Complete');
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', restoredFrom: path });
    expect(await cluster.condition('Restored')).toMatchObject({ status: 'True' });
    expect(await cluster.condition('Ready')).toMatchObject({ status: 'True' });
  });

  test('is restored once, also if the Job is deleted', async () => {
    await createSecret();
    await storeBackup();
    await endJob('Complete');
    await cluster.api.client.delete(Job, jobKey, { propagationPolicy: 'Background' });
    await cluster.api.advance('20s');
    expect(await cluster.api.client.find(Job, jobKey)).toBeUndefined();
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', restoredFrom: path });
  });

  test('shows that the restore has failed, and tries again without the Job', async () => {
    await createSecret();
    await storeBackup();
    await endJob('Failed', 'the store refuses');
    const message = 'Job example-restore has failed: the store refuses; delete it to try again';
    expect(await cluster.status()).toMatchObject({ phase: 'Restoring' });
    expect(await cluster.condition('Degraded')).toMatchObject({
      ...{ status: 'True', reason: 'RestoreFailed', message },
    });
    expect(await cluster.condition('Restored')).toMatchObject({ status: 'False', reason: 'JobFailed' });
    expect(await cluster.condition('Available')).toMatchObject({ status: 'True' });
    await cluster.api.client.delete(Job, jobKey, { propagationPolicy: 'Background' });
    await cluster.api.advance('20s');
    await endJob('Complete');
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', restoredFrom: path });
  });
});
