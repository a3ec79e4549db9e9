// A real etcd of three members goes back to a backup in a real object store. The first run builds etcd and the store with Go.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramsUnavailable } from '../../../../scripts/lib/go-programs.mjs';
import { EtcdBackup } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-backup.ts';
import { EtcdRestore } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-restore.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { BackupDrill, client, key, obtainBackupPrograms, slow } from './backup-drill.ts';
import { read, write } from './keys.ts';

const programs = await obtainBackupPrograms();

describe.skipIf(programs instanceof ProgramsUnavailable)('a cluster and its backup', () => {
  let started: BackupDrill;
  beforeAll(async () => {
    if (!(programs instanceof ProgramsUnavailable)) started = await BackupDrill.start(...programs, 3);
  }, 240_000);
  afterAll(() => started?.[Symbol.asyncDispose]());

  test('AS13: a restored one has what it had, and nothing of later', { timeout: 400_000 }, async () => {
    const { drill } = started;
    const s3 = started.s3('backups/one');
    await write(client, 'kept');
    await drill.client.create(EtcdBackup, {
      metadata: key('one'),
      spec: { etcdEndpoints: [`http://${client}`], storageType: 'S3', s3 },
    });
    await eventually(async () => {
      const { status } = await drill.client.get(EtcdBackup, key('one'));
      expect(status).toMatchObject({ phase: 'Succeeded' });
    }, slow);
    await write(client, 'later');
    await drill.client.create(EtcdRestore, {
      metadata: key('back'),
      spec: { etcdCluster: { name: 'example' }, backupStorageType: 'S3', s3 },
    });
    await eventually(async () => {
      const { status } = await drill.client.get(EtcdRestore, key('back'));
      expect(status).toMatchObject({ phase: 'Succeeded' });
    }, slow);
    await started.untilReady(3);
    expect(await read(client, 'kept')).toBe('kept');
    expect(await read(client, 'later')).toBeUndefined();
  });
});
