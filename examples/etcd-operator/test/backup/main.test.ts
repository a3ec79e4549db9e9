import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { argumentsOf, type BackupCommand } from '../../src/backup/arguments.ts';
import { runBackup } from '../../src/backup/main.ts';
import { readResult, type SavedBackup } from '../../src/backup/result.ts';
import { startFakeMember, type FakeMember } from './fake-maintenance.ts';
import { s3Secret, startFakeS3, type FakeS3 } from './stores/fake-s3.ts';

describe('the program', () => {
  let folder = '';
  let member: FakeMember;
  let s3: FakeS3;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'etcd-program-'));
    member = await startFakeMember();
    s3 = await startFakeS3();
    await mkdir(join(folder, 'secret'));
    const credentials = `[default]\naws_access_key_id = ${s3Secret.accessKeyId}\naws_secret_access_key = ${s3Secret.secretAccessKey}\n`;
    await writeFile(join(folder, 'secret', 'credentials'), credentials);
  });
  afterEach(async () => {
    await member[Symbol.asyncDispose]();
    await s3[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const storage = () => ({
    type: 'S3' as const,
    path: 'backups/etcd.backup',
    folder: join(folder, 'secret'),
    endpoint: s3.url,
  });
  const common = () => ({ timeoutSeconds: 30, resultFile: join(folder, 'result'), storage: storage() });
  const saveCommand = (): BackupCommand => ({
    verb: 'save',
    ...common(),
    endpoints: [member.url],
    workFolder: join(folder, 'work'),
  });
  const fetchCommand = (): BackupCommand => ({
    verb: 'fetch',
    ...common(),
    file: join(folder, 'data', 'snapshot.db'),
  });
  /** Runs a command, and reads its termination message. */
  const run = async (command: BackupCommand, stop = new AbortController().signal) => {
    await runBackup(argumentsOf(command).slice(1), stop);
    const result = readResult(await readFile(join(folder, 'result'), 'utf8'));
    if (result === undefined) throw new Error('expected a result');
    return result;
  };
  const save = async (command: object = {}): Promise<SavedBackup> => {
    const result = await run({ ...saveCommand(), ...command });
    if (!('saved' in result)) throw new Error(JSON.stringify(result));
    return result.saved;
  };
  const hour = (number: number): string => `2026-01-31T0${number}:00:00Z`;

  test('saves a snapshot and fetches it again', async () => {
    const saved = await save();
    expect(saved).toMatchObject({ path: 'backups/etcd.backup', revision: 7, etcdVersion: '3.6.8' });
    expect(await run({ ...fetchCommand(), sha256: saved.sha256 } as BackupCommand)).toEqual({
      fetched: { path: saved.path, sizeBytes: saved.sizeBytes, sha256: saved.sha256 },
    });
    expect((await readFile(join(folder, 'data', 'snapshot.db'))).equals(member.snapshot)).toBe(true);
    expect(await readdir(join(folder, 'work'))).toEqual([]);
  });

  test('names the backups of a schedule, and deletes the oldest', async () => {
    await save({ storage: { ...storage(), path: 'backups/etcd.backup.old' }, scheduledFor: hour(1) });
    for (const number of [1, 2, 3]) {
      member.revision += 1;
      await save({ scheduledFor: hour(number), keep: 2 });
    }
    expect([...s3.objects.keys()].sort()).toEqual([
      'backups/etcd.backup.old_v7_2026-01-31T01:00:00Z',
      'backups/etcd.backup_v10_2026-01-31T03:00:00Z',
      'backups/etcd.backup_v9_2026-01-31T02:00:00Z',
    ]);
    member.revision += 1;
    expect(await save({ scheduledFor: hour(4), keep: 1 })).toMatchObject({ oldest: hour(4), deleted: 2 });
  });

  test('makes no second backup for the same time of the schedule', async () => {
    const first = await save({ scheduledFor: hour(1), keep: 2 });
    member.revision += 1;
    const again = await save({ scheduledFor: hour(1), keep: 2 });
    expect(again).toMatchObject({ path: first.path, revision: 7, sha256: first.sha256, deleted: 0 });
    expect(s3.objects.size).toBe(1);
  });

  test('keeps what a cluster had before it was created again', async () => {
    member.revision = 900;
    await save({ scheduledFor: hour(1), keep: 1 });
    member.revision = 3;
    expect(await save({ scheduledFor: hour(2), keep: 1 })).toMatchObject({ oldest: hour(2), deleted: 0 });
    expect(await save({ scheduledFor: hour(3), keep: 1 })).toMatchObject({ oldest: hour(3), deleted: 1 });
    expect([...s3.objects.keys()].sort()).toEqual([
      'backups/etcd.backup_v3_2026-01-31T03:00:00Z',
      'backups/etcd.backup_v900_2026-01-31T01:00:00Z',
    ]);
  });

  test('keeps the new backup where others are of a clock that was ahead', async () => {
    for (const number of [7, 8]) await save({ scheduledFor: hour(number), keep: 2 });
    member.revision += 1;
    const { path } = await save({ scheduledFor: hour(1), keep: 2 });
    expect([...s3.objects.keys()]).toContain(path);
    expect(s3.objects.size).toBe(3);
    member.revision += 1;
    expect(await save({ scheduledFor: hour(2), keep: 2 })).toMatchObject({ deleted: 1 });
    expect(s3.objects.has(path)).toBe(false);
  });

  test('deletes no backup before the next one is there', async () => {
    await save({ scheduledFor: hour(1), keep: 1 });
    member.breakAfter = 100;
    expect(await run({ ...saveCommand(), scheduledFor: hour(2), keep: 1 } as BackupCommand)).toMatchObject({
      failed: { reason: 'SnapshotIncomplete' },
    });
    expect(s3.objects.size).toBe(1);
  });

  test('says what a Secret lacks', async () => {
    await rm(join(folder, 'secret', 'credentials'));
    expect(await run(saveCommand())).toMatchObject({ failed: { reason: 'CredentialsInvalid' } });
    const tls = { ...saveCommand(), tlsFolder: join(folder, 'secret') } as BackupCommand;
    await writeFile(join(folder, 'secret', 'AWS_ACCESS_KEY_ID'), 'a');
    await writeFile(join(folder, 'secret', 'AWS_SECRET_ACCESS_KEY'), 'b');
    await writeFile(join(folder, 'secret', 'etcd-client.crt'), '');
    expect(await run(tls)).toMatchObject({
      failed: {
        reason: 'InvalidRequest',
        message:
          'the Secret with the client certificate: expected the keys etcd-client-ca.crt, etcd-client.crt, etcd-client.key, or ca.crt, tls.crt, tls.key, got etcd-client.crt',
      },
    });
  });

  test.each([
    ['etcd-client-ca.crt', 'etcd-client.crt', 'etcd-client.key'],
    ['ca.crt', 'tls.crt', 'tls.key'],
  ])('calls etcd with the certificates of %s, %s and %s', async (...files) => {
    for (const file of files) await writeFile(join(folder, 'secret', file), file);
    await save({ tlsFolder: join(folder, 'secret') });
  });

  test('says what the store answers', async () => {
    await writeFile(
      join(folder, 'secret', 'credentials'),
      '[default]\naws_access_key_id=a\naws_secret_access_key=b\n',
    );
    expect(await run(saveCommand())).toMatchObject({
      failed: {
        reason: 'AccessDenied',
        message: expect.stringContaining('403 SignatureDoesNotMatch') as string,
      },
    });
  });

  test('gives up after its time, and when it is asked to end', async () => {
    member.failures.push('hang');
    expect(await run({ ...saveCommand(), timeoutSeconds: 1 })).toEqual({
      failed: { reason: 'DeadlineExceeded', message: 'not done after 1 seconds' },
    });
    expect(await run(saveCommand(), AbortSignal.abort())).toMatchObject({
      failed: { reason: 'UnexpectedError' },
    });
  });

  test.each<[string, (content: Buffer) => Buffer, string]>([
    ['truncated', (content) => content.subarray(0, 4096), 'ChecksumMismatch'],
    ['changed', (content) => Buffer.concat([Buffer.from('x'), content.subarray(1)]), 'ChecksumMismatch'],
  ])('refuses a backup that was %s in the store', async (_, change, reason) => {
    await save();
    const [[path, object] = ['', undefined]] = s3.objects;
    if (object === undefined) throw new Error('expected an object');
    s3.objects.set(path, { ...object, content: change(object.content) });
    expect(await run(fetchCommand())).toMatchObject({ failed: { reason } });
    s3.objects.set(path, { content: change(object.content), sha256: undefined });
    expect(await run(fetchCommand())).toMatchObject({ failed: { reason: 'SnapshotIncomplete' } });
    expect(await readdir(join(folder, 'data'))).toEqual([]);
  });

  test('fetches again what broke off', async () => {
    const { sha256, sizeBytes } = await save();
    s3.failures.push({
      status: 200,
      headers: { 'x-amz-meta-sha256': sha256 },
      body: member.snapshot,
      breakAfter: 5000,
    });
    expect(await run(fetchCommand())).toMatchObject({ fetched: { sha256, sizeBytes } });
  });

  test('refuses a backup that is another one than expected', async () => {
    await save();
    expect(await run({ ...fetchCommand(), sha256: 'f'.repeat(64) } as BackupCommand)).toMatchObject({
      failed: {
        reason: 'ChecksumMismatch',
        message: expect.stringContaining('expected the checksum ffff') as string,
      },
    });
    const gone = { ...fetchCommand(), storage: { ...storage(), path: 'backups/other' } } as BackupCommand;
    expect(await run(gone)).toMatchObject({ failed: { reason: 'BackupNotFound' } });
  });

  describe('prepares a member', () => {
    const dataDir = () => join(folder, 'var', 'data');
    const snapshot = () => join(folder, 'var', 'restore', 'snapshot.db');
    const fetch = () => run({ ...fetchCommand(), file: snapshot(), dataDir: dataDir() } as BackupCommand);
    const place = () =>
      run({
        verb: 'place',
        timeoutSeconds: 30,
        resultFile: join(folder, 'result'),
        file: snapshot(),
        dataDir: dataDir(),
      });
    /** Does what etcdutl does. */
    const makeData = async (): Promise<void> => {
      await mkdir(join(`${dataDir()}.restoring`, 'member', 'snap'), { recursive: true });
      await copyFile(snapshot(), join(`${dataDir()}.restoring`, 'member', 'snap', 'db'));
    };

    test('of which every container may run again', async () => {
      await save();
      expect(await fetch()).toMatchObject({ fetched: { path: 'backups/etcd.backup' } });
      await makeData();
      // The Pod is killed before the data is in its place.
      expect(await fetch()).toMatchObject({ fetched: { path: 'backups/etcd.backup' } });
      await makeData();
      expect(await place()).toEqual({ prepared: { dataDir: dataDir() } });
      expect(await readdir(join(folder, 'var', 'restore'))).toEqual([]);
    });

    test('and keeps data that was written since, without the store', async () => {
      await save();
      await fetch();
      await makeData();
      await place();
      await writeFile(join(dataDir(), 'since'), '');
      s3.objects.clear();
      expect(await fetch()).toEqual({ prepared: { dataDir: dataDir() } });
      expect((await readFile(snapshot())).equals(member.snapshot)).toBe(true);
      await makeData();
      expect(await place()).toEqual({ prepared: { dataDir: dataDir() } });
      expect(await readdir(dataDir())).toEqual(['member', 'since']);
      expect((await readdir(join(folder, 'var'))).sort()).toEqual(['data', 'restore']);
    });
  });
});
