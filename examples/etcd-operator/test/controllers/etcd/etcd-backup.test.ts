// Unit tests on an API server in memory; they need no cluster and no binaries.
import { join } from 'node:path';
import { Job } from 'opsdk/k8s/batch/v1';
import { PersistentVolumeClaim, Pod, Secret } from 'opsdk/k8s/core/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  EtcdBackup,
  type BackupPolicy,
  type EtcdBackupSpec,
} from '../../../src/api/etcd/v1beta2/etcd-backup.ts';
import type { Result } from '../../../src/backup/result.ts';
import { createEtcdBackupController } from '../../../src/controllers/etcd/etcd-backup.ts';
import { JobStates } from './job-states.ts';

expect.extend(kubernetesMatchers);

const crds = [join(import.meta.dirname, '../../../config/crd/bases')];
const key = { name: 'nightly', namespace: 'default' };
const secretKey = { name: 'aws', namespace: 'default' };
const sha256 = 'a'.repeat(64);
const savedAt = (revision: number, more: object = {}): Result => ({
  saved: {
    path: `backups/etcd_v${revision}`,
    revision,
    etcdVersion: '3.6.8',
    sizeBytes: 4096,
    sha256,
    ...more,
  },
});

describe('EtcdBackup', () => {
  let api: TestApi;
  let jobs: JobStates;
  let image: () => string;
  beforeEach(async () => {
    api = await createTestApi({ kinds: [EtcdBackup, Job, Pod, Secret, PersistentVolumeClaim], crds });
    jobs = new JobStates(api);
    image = () => 'operator:1';
    api.add(createEtcdBackupController({ image: () => image() }));
    await api.client.create(Secret, { metadata: secretKey, stringData: { credentials: '' } });
  });
  afterEach(() => api[Symbol.asyncDispose]());

  const create = async (backupPolicy?: BackupPolicy, more: Partial<EtcdBackupSpec> = {}): Promise<void> => {
    const spec: EtcdBackupSpec = {
      etcdEndpoints: ['http://example-client:2379'],
      storageType: 'S3',
      s3: { path: 'backups/etcd', awsSecret: 'aws' },
      ...(backupPolicy === undefined ? {} : { backupPolicy }),
      ...more,
    };
    await api.client.create(EtcdBackup, { metadata: key, spec });
    await api.settle();
  };
  const backup = () => api.client.get(EtcdBackup, key);
  const status = async () => (await backup()).status ?? {};
  const pauseTo = async (paused: boolean): Promise<void> => {
    await api.client.mergePatch(EtcdBackup, key, { spec: { paused } });
    await api.settle();
  };
  const hourly = { backupIntervalInSecond: 3600, maxBackups: 2 };
  const reasons = (): string[] => api.events.map(({ reason }) => reason ?? '');

  it('has failed if its Job succeeds without a result, and is not repeated', async () => {
    await create();
    const name = await jobs.onlyName();
    await jobs.endPod(name, undefined);
    await jobs.complete(name, undefined);
    expect(await status()).toMatchObject({ phase: 'Failed', reason: 'JobFailed', succeeded: false });
    expect(reasons()).not.toContain('BackupResultLost');
  });

  it('is made by a Job of the operator’s own image', async () => {
    await create();
    const job = await api.client.get(Job, { ...key, name: await jobs.onlyName() });
    expect(job).toBeOwnedBy(await backup());
    const pod = job.spec?.template.spec;
    expect(pod).toMatchObject({ restartPolicy: 'Never', automountServiceAccountToken: false });
    expect(pod?.containers[0]).toMatchObject({
      image: 'operator:1',
      args: [
        'backup',
        'save',
        '--endpoint=http://example-client:2379',
        '--storage=S3',
        '--path=backups/etcd',
        '--folder=/var/run/etcd-backup/storage',
        '--work-folder=/var/run/etcd-backup/work',
        '--timeout=600',
        '--result=/dev/termination-log',
      ],
    });
    expect(pod?.volumes).toMatchObject([{ emptyDir: {} }, { secret: { secretName: 'aws' } }]);
    expect(await status()).toMatchObject({
      phase: 'Running',
      reason: 'Saving',
      run: { job: job.metadata.name },
    });
    expect(await backup()).toHaveCondition('Succeeded', 'Unknown');
    expect(await backup()).toHaveCondition('Progressing', 'True');
  });

  it('has succeeded when the Job has, with checksum and revision', async () => {
    await create();
    await jobs.complete(await jobs.onlyName(), savedAt(7));
    const found = await status();
    expect(found).toMatchObject({
      phase: 'Succeeded',
      reason: 'Saved',
      succeeded: true,
      etcdVersion: '3.6.8',
      etcdRevision: 7,
      backups: [{ path: 'backups/etcd_v7', revision: 7, sha256, sizeBytes: 4096 }],
    });
    expect(found.run).toBeUndefined();
    expect(await backup()).toHaveCondition('Succeeded', 'True', { reason: 'Saved' });
    await jobs.delete(await jobs.onlyName());
    await api.advance('2d');
    expect(await jobs.names()).toEqual([]);
    expect(reasons().sort()).toEqual(['BackupStarted', 'BackupSucceeded']);
  });

  it('has failed when the Job has, with what the store said, and is not tried again', async () => {
    await create();
    const message = 'put s3://backups/etcd: expected an answer of S3, got 403 AccessDenied: Access Denied';
    await jobs.fail(
      await jobs.onlyName(),
      { failed: { reason: 'AccessDenied', message } },
      'PodFailurePolicy',
    );
    expect(await status()).toMatchObject({ phase: 'Failed', reason: 'AccessDenied', succeeded: false });
    expect(await backup()).toHaveCondition('Succeeded', 'False', { reason: 'AccessDenied', message });
    await jobs.delete(await jobs.onlyName());
    expect(await jobs.names()).toEqual([]);
  });

  it('waits for its Secret, and says which', async () => {
    await api.client.delete(Secret, secretKey);
    await create(undefined, { clientTLSSecret: 'tls' });
    expect(await status()).toMatchObject({ phase: 'Waiting', reason: 'SecretNotFound' });
    expect(await backup()).toHaveCondition('Succeeded', 'False', { message: 'Secret aws does not exist' });
    expect(await jobs.names()).toEqual([]);
    await api.client.create(Secret, { metadata: secretKey });
    await api.advance('30s');
    expect(await backup()).toHaveCondition('Succeeded', 'False', { message: 'Secret tls does not exist' });
    await api.client.create(Secret, { metadata: { ...secretKey, name: 'tls' } });
    await api.advance('30s');
    const job = await api.client.get(Job, { ...key, name: await jobs.onlyName() });
    expect(job.spec?.template.spec?.containers[0]?.args).toContain(
      '--client-tls=/var/run/etcd-backup/client-tls',
    );
  });

  it('waits for its claim', async () => {
    await create(undefined, {
      storageType: 'PVC',
      s3: undefined as never,
      pvc: { claimName: 'data', path: 'etcd' },
    });
    expect(await status()).toMatchObject({ phase: 'Waiting', reason: 'PersistentVolumeClaimNotFound' });
  });

  it('says that it does not know the operator’s image', async () => {
    image = () => {
      throw new Error('RELATED_IMAGE_OPERATOR is not set');
    };
    await expect(create()).rejects.toThrow('RELATED_IMAGE_OPERATOR');
    expect(await backup()).toHaveCondition('Succeeded', 'False', { reason: 'ReconcileFailed' });
    image = () => 'operator:2';
    await api.advance('1m');
    expect(await jobs.names()).toHaveLength(1);
  });

  it('starts again when its Job was deleted while it ran', async () => {
    await create();
    const name = await jobs.onlyName();
    await jobs.delete(name);
    expect(await jobs.names()).toEqual([name]);
    expect(await status()).toMatchObject({ phase: 'Running', run: { job: name } });
  });

  it('repeats a Job whose outcome is lost', async () => {
    await create();
    const name = await jobs.onlyName();
    const { uid } = (await api.client.get(Job, { ...key, name })).metadata;
    await jobs.complete(name, undefined);
    expect((await api.client.get(Job, { ...key, name })).metadata.uid).not.toBe(uid);
    expect(reasons()).toContain('BackupResultLost');
    await jobs.complete(name, savedAt(7));
    expect(await status()).toMatchObject({ phase: 'Succeeded', etcdRevision: 7 });
  });

  it('goes on where an operator was killed, and makes no second backup', async () => {
    // Each write fails once, as if the operator had ended before it.
    for (const resource of [EtcdBackup, Job])
      api.intercept({ verb: 'apply', resource }, { code: 500, reason: 'InternalError' });
    await create(hourly).catch(() => undefined);
    await api.advance('1m');
    const name = await jobs.onlyName();
    api.intercept({ verb: 'apply', resource: EtcdBackup }, { code: 500, reason: 'InternalError' });
    await jobs.complete(name, savedAt(7)).catch(() => undefined);
    await api.advance('1m');
    expect(await jobs.names()).toEqual([name]);
    expect((await status()).backups).toHaveLength(1);
  });

  describe('by a schedule', () => {
    it('makes one backup for each time, and lists those that are kept', async () => {
      await create(hourly);
      const first = await jobs.onlyName();
      const scheduledFor = (await status()).lastScheduleTime ?? '';
      const job = await api.client.get(Job, { ...key, name: first });
      const { args } = job.spec?.template.spec?.containers[0] ?? {};
      expect(args).toEqual(expect.arrayContaining([`--scheduled-for=${scheduledFor}`, '--keep=2']));
      await jobs.complete(first, savedAt(1, { oldest: scheduledFor }));
      expect(await status()).toMatchObject({
        phase: 'Scheduled',
        reason: 'Saved',
        backups: [{ scheduledFor }],
      });
      expect(Date.parse((await status()).nextScheduleTime ?? '')).toBe(Date.parse(scheduledFor) + 3_600_000);
      await api.advance('59m');
      expect(await jobs.names()).toEqual([first]);
      for (const revision of [2, 3]) {
        await api.advance('1h');
        const { run } = await status();
        await jobs.complete(
          run?.job ?? '',
          savedAt(revision, { oldest: revision === 3 ? run?.scheduledFor : scheduledFor }),
        );
      }
      expect(new Set(await jobs.names()).size).toBe(3);
      expect((await status()).backups?.map(({ revision }) => revision)).toEqual([3]);
      expect(await status()).toMatchObject({ etcdRevision: 3, missedRuns: 0 });
    });

    it('goes on after a failure, and shows it until a backup succeeds', async () => {
      await create(hourly);
      await jobs.fail(await jobs.onlyName(), undefined, 'DeadlineExceeded');
      const found = await status();
      expect(found).toMatchObject({ phase: 'Scheduled', reason: 'DeadlineExceeded', succeeded: false });
      expect(found.lastFailureDate).toBeDefined();
      expect(await backup()).toHaveCondition('Succeeded', 'False', { reason: 'DeadlineExceeded' });
      await api.advance('1h');
      expect(await backup()).toHaveCondition('Succeeded', 'False', { reason: 'DeadlineExceeded' });
      await jobs.complete((await status()).run?.job ?? '', savedAt(2));
      expect(await backup()).toHaveCondition('Succeeded', 'True');
      expect(await status()).toMatchObject({ reason: 'Saved', succeeded: true });
    });

    it('counts the times that pass while a backup is being made', async () => {
      await create(hourly);
      const first = await jobs.onlyName();
      await api.advance('3h30m');
      expect(await jobs.names()).toEqual([first]);
      await jobs.complete(first, savedAt(1));
      expect(await status()).toMatchObject({ phase: 'Running', missedRuns: 2 });
      expect(reasons()).toContain('BackupsMissed');
    });

    it('does not wait for a clock that was ahead', async () => {
      await create(hourly);
      await jobs.complete(await jobs.onlyName(), savedAt(1));
      const body = { status: { lastScheduleTime: '2100-01-01T00:00:00Z' } };
      await api.client.patch(EtcdBackup, key, { type: 'merge', body }, { subresource: 'status' });
      await api.advance('2h');
      expect(reasons()).toContain('ClockJumped');
      expect(await jobs.names()).toHaveLength(2);
    });

    it('gives its Jobs names that Kubernetes accepts', async () => {
      const name = `${'a'.repeat(39)}.${'b'.repeat(30)}`;
      const { spec } = await create(hourly).then(backup);
      await api.client.create(EtcdBackup, { metadata: { ...key, name }, spec });
      await api.settle();
      expect(await jobs.names()).toContainEqual(expect.stringMatching(/^a{39}-[a-z0-9]+$/));
    });

    it('does not begin while it is paused', async () => {
      await create(hourly, { paused: true });
      expect(await status()).toMatchObject({ phase: 'Paused' });
      await api.advance('2h');
      expect(await jobs.names()).toEqual([]);
      await pauseTo(false);
      expect(await jobs.names()).toHaveLength(1);
    });

    it('goes by the times of a cron schedule', async () => {
      await create({ schedule: '0 3 * * *', timeZone: 'Europe/Berlin' });
      expect(await status()).toMatchObject({ phase: 'Scheduled', reason: 'Scheduled' });
      expect(await jobs.names()).toEqual([]);
      const next = (await status()).nextScheduleTime ?? '';
      await api.advance(Date.parse(next) - api.now.getTime());
      expect(await status()).toMatchObject({ phase: 'Running', lastScheduleTime: next });
    });

    it('says that a schedule cannot be read', async () => {
      await expect(create({ schedule: '0 25 * * *' })).rejects.toThrow('expected a schedule');
      expect(await backup()).toHaveCondition('Succeeded', 'False', { reason: 'ReconcileFailed' });
    });
  });
});
