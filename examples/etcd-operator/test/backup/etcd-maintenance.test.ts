import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadSnapshot, newestMember } from '../../src/backup/etcd-maintenance.ts';
import { startFakeMember, type FakeMember } from './fake-maintenance.ts';

const { signal } = new AbortController();
const options = { signal, idleMs: 500 };

describe('members of etcd', () => {
  test('are asked for the one with the newest data', async () => {
    await using a = await startFakeMember();
    await using b = await startFakeMember();
    await using learner = await startFakeMember();
    await using corrupt = await startFakeMember();
    b.revision = 9;
    Object.assign(learner, { revision: 10, status: { isLearner: true } });
    Object.assign(corrupt, { revision: 10, status: { errors: ['memberID:1 alarm:CORRUPT'] } });
    const endpoints = [a, b, learner, corrupt].map(({ url }) => url);
    const newest = await newestMember([...endpoints, 'http://127.0.0.1:1'], options);
    expect(newest).toEqual({ endpoint: b.url, revision: 9, version: '3.6.8' });
  });

  test('are named with what they say if none can be asked', async () => {
    await using a = await startFakeMember();
    await using b = await startFakeMember();
    await using c = await startFakeMember();
    a.failures.push({ status: 400, body: '{"code":3,"message":"etcdserver: user name is empty"}' });
    b.failures.push('hang');
    c.failures.push({ status: 200, body: '{}' });
    const found = newestMember([a.url, b.url, c.url, 'http://127.0.0.1:1'], options);
    await expect(found).rejects.toMatchObject({ reason: 'EtcdUnreachable' });
    const message = await found.catch((error: Error) => error.message);
    expect(message).toContain(`${a.url}: 400 etcdserver: user name is empty`);
    expect(message).toContain(`${b.url}: no data for 0.5 seconds`);
    expect(message).toContain(`${c.url}: expected a revision in its status`);
    expect(message).toContain('http://127.0.0.1:1: connect ECONNREFUSED');
  });
});

describe('a snapshot', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'etcd-snapshot-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const download = (member: FakeMember) =>
    downloadSnapshot(
      { endpoint: `${member.url}/`, revision: 7, version: '3.6.8' },
      join(folder, 'snapshot'),
      options,
    );

  test('is written as etcd gives it', async () => {
    await using member = await startFakeMember();
    expect(await download(member)).toEqual({
      sizeBytes: member.snapshot.length,
      sha256: createHash('sha256').update(member.snapshot).digest('hex'),
      isWhole: true,
    });
    expect((await readFile(join(folder, 'snapshot'))).equals(member.snapshot)).toBe(true);
  });

  test.each<[string, (member: FakeMember) => void, string]>([
    ['breaks off', (member) => (member.breakAfter = 30_000), 'aborted'],
    [
      'ends before its checksum',
      (member) => (member.blobs = [member.snapshot.subarray(0, 4096)]),
      '4096 bytes without it',
    ],
    [
      'has another checksum',
      (member) => (member.snapshot[5] = (member.snapshot[5] ?? 0) ^ 1),
      'bytes without it',
    ],
    ['is empty', (member) => (member.blobs = []), 'got 0 bytes'],
    [
      'is refused',
      (member) => member.failures.push({ status: 500, body: '{"message":"no leader"}' }),
      'got 500 no leader',
    ],
    [
      'is a page of HTML',
      (member) => member.failures.push({ status: 200, body: '<html>' }),
      'expected lines of JSON',
    ],
    [
      'ends with an error',
      (member) =>
        member.failures.push({ status: 200, body: '{"error":{"message":"etcdserver: mvcc: closed"}}' }),
      'etcdserver: mvcc: closed',
    ],
    ['does not come', (member) => member.failures.push('hang'), 'no data for 0.5 seconds'],
  ])('is refused if it %s', async (_, spoil, message) => {
    await using member = await startFakeMember();
    spoil(member);
    const downloaded = download(member);
    await expect(downloaded).rejects.toMatchObject({ reason: 'SnapshotIncomplete' });
    await expect(downloaded).rejects.toThrow(message);
  });
});
