// Unit tests on an API server in memory; they need no cluster and no binaries.
import { join } from 'node:path';
import { Job } from 'opsdk/k8s/batch/v1';
import { PersistentVolumeClaim, Pod, Secret, type PodStatus } from 'opsdk/k8s/core/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EtcdCluster } from '../../../src/api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore, type EtcdRestoreSpec } from '../../../src/api/etcd/v1beta2/etcd-restore.ts';
import { resultText, type Result } from '../../../src/backup/result.ts';
import { createEtcdRestoreController } from '../../../src/controllers/etcd/etcd-restore.ts';
import { restoreNameAnnotation, restoreUidAnnotation } from '../../../src/etcd/restore-source.ts';
import { JobStates } from './job-states.ts';

expect.extend(kubernetesMatchers);

const crds = [join(import.meta.dirname, '../../../config/crd/bases')];
const key = { name: 'restore', namespace: 'default' };
const clusterKey = { name: 'example', namespace: 'default' };
const sha256 = 'a'.repeat(64);
const fetched: Result = { fetched: { path: 'backups/etcd', sizeBytes: 4096, sha256 } };
const spec: EtcdRestoreSpec = {
  etcdCluster: { name: 'example' },
  backupStorageType: 'S3',
  s3: { path: 'backups/etcd', awsSecret: 'aws' },
  sha256,
};

describe('EtcdRestore', () => {
  let api: TestApi;
  let jobs: JobStates;
  beforeEach(async () => {
    api = await createTestApi({
      kinds: [EtcdRestore, EtcdCluster, Job, Pod, Secret, PersistentVolumeClaim],
      crds,
    });
    jobs = new JobStates(api);
    api.add(createEtcdRestoreController({ image: () => 'operator:1' }));
    await api.client.create(Secret, { metadata: { ...key, name: 'aws' } });
  });
  afterEach(() => api[Symbol.asyncDispose]());

  const create = async ({ withCluster = true, name = key.name } = {}): Promise<void> => {
    if (withCluster) await api.client.create(EtcdCluster, { metadata: clusterKey, spec: {} });
    await api.client.create(EtcdRestore, { metadata: { ...key, name }, spec });
    await api.settle();
  };
  const restore = (name = key.name) => api.client.get(EtcdRestore, { ...key, name });
  const status = async (name = key.name) => (await restore(name)).status;
  /** Creates the first member's Pod, as the controller of EtcdCluster does. */
  const createSeed = async (podStatus: PodStatus): Promise<void> => {
    const { uid } = (await restore()).metadata;
    const annotations = { [restoreNameAnnotation]: key.name, [restoreUidAnnotation]: uid };
    const metadata = { ...clusterKey, name: 'example-abcde', annotations };
    await api.client.create(Pod, { metadata, spec: { containers: [{ name: 'etcd', image: 'etcd:1' }] } });
    const body = { status: podStatus };
    await api.client.patch(Pod, metadata, { type: 'merge', body }, { subresource: 'status' });
    await api.settle();
  };
  const check = async (): Promise<void> => {
    await create();
    await jobs.complete(await jobs.onlyName(), fetched);
  };

  it('checks the backup before it touches the cluster', async () => {
    await create();
    expect(await status()).toMatchObject({ phase: 'Checking', reason: 'CheckingBackup' });
    const job = await api.client.get(Job, { ...key, name: await jobs.onlyName() });
    expect(job).toBeOwnedBy(await restore());
    expect(job.spec?.template.spec?.containers[0]).toMatchObject({
      image: 'operator:1',
      args: expect.arrayContaining([
        'backup',
        'fetch',
        '--path=backups/etcd',
        `--sha256=${sha256}`,
      ]) as string[],
    });
    await jobs.complete(job.metadata.name, fetched);
    expect(await status()).toMatchObject({
      phase: 'Restoring',
      reason: 'ReplacingMembers',
      sha256,
      sizeBytes: 4096,
    });
  });

  it('fails if the backup is damaged, and leaves the cluster alone', async () => {
    await create();
    const message = 'backups/etcd: expected the checksum aaaa, got bbbb';
    await jobs.fail(await jobs.onlyName(), { failed: { reason: 'ChecksumMismatch', message } });
    expect(await status()).toMatchObject({ phase: 'Failed', reason: 'ChecksumMismatch', succeeded: false });
    expect(await restore()).toHaveCondition('Succeeded', 'False', { reason: 'ChecksumMismatch', message });
    await jobs.delete(await jobs.onlyName());
    expect(await jobs.names()).toEqual([]);
  });

  it('waits for the cluster and goes on when it comes', async () => {
    await create({ withCluster: false });
    expect(await status()).toMatchObject({ phase: 'Waiting', reason: 'EtcdClusterNotFound' });
    await api.client.create(EtcdCluster, { metadata: clusterKey, spec: {} });
    await api.settle();
    expect(await status()).toMatchObject({ phase: 'Checking' });
  });

  it('waits for the Secret', async () => {
    await api.client.delete(Secret, { ...key, name: 'aws' });
    await create();
    expect(await restore()).toHaveCondition('Succeeded', 'False', {
      reason: 'SecretNotFound',
      message: 'Secret aws does not exist',
    });
    await api.client.create(Secret, { metadata: { ...key, name: 'aws' } });
    await api.advance('30s');
    expect(await status()).toMatchObject({ phase: 'Checking' });
  });

  it('restores a cluster once at a time', async () => {
    await create();
    await api.advance('1s');
    await create({ withCluster: false, name: 'second' });
    expect(await status('second')).toMatchObject({ phase: 'Waiting', reason: 'AnotherRestore' });
    await jobs.fail(await jobs.onlyName(), undefined);
    await api.advance('30s');
    expect(await status('second')).toMatchObject({ phase: 'Checking' });
  });

  it('repeats a check whose outcome is lost, and one that somebody deletes', async () => {
    await create();
    const name = await jobs.onlyName();
    await jobs.delete(name);
    await jobs.complete(name, undefined);
    expect(await jobs.names()).toEqual([name]);
    await jobs.complete(name, fetched);
    expect(await status()).toMatchObject({ phase: 'Restoring' });
  });

  it('has succeeded when the first member is ready', async () => {
    await check();
    await createSeed({ phase: 'Running' });
    expect(await status()).toMatchObject({ phase: 'Restoring' });
    const body = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    const pod = { ...clusterKey, name: 'example-abcde' };
    await api.client.patch(Pod, pod, { type: 'merge', body }, { subresource: 'status' });
    await api.settle();
    expect(await status()).toMatchObject({ phase: 'Succeeded', reason: 'Restored', succeeded: true });
    await api.client.delete(Pod, pod, { gracePeriodSeconds: 0 });
    await api.settle();
    expect(await status()).toMatchObject({ phase: 'Succeeded' });
  });

  it('goes on when the first member is evicted, as another one takes its place', async () => {
    await check();
    await createSeed({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'The node was low on resource: memory.',
    });
    expect(await status()).toMatchObject({ phase: 'Restoring' });
  });

  it.each<[string, string | undefined, string, string]>([
    [
      'fetch-snapshot',
      resultText({ failed: { reason: 'StoreUnreachable', message: 'no answer from s3' } }),
      'StoreUnreachable',
      'no answer from s3',
    ],
    ['restore-snapshot', undefined, 'SeedFailed', 'container restore-snapshot has ended with exit code 1'],
  ])('has failed when %s has', async (name, message, reason, said) => {
    await check();
    const terminated = { exitCode: 1, ...(message === undefined ? {} : { message }) };
    const container = { name, image: 'a', imageID: '', ready: false, restartCount: 0, state: { terminated } };
    await createSeed({ phase: 'Failed', initContainerStatuses: [container] });
    expect(await status()).toMatchObject({ phase: 'Failed', reason });
    expect(await restore()).toHaveCondition('Succeeded', 'False', { reason, message: said });
  });
});
