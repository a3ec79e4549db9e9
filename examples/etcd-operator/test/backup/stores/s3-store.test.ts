import { describe, expect, test } from 'vitest';
import { S3Store } from '../../../src/backup/stores/s3-store.ts';
import { s3Secret, startFakeS3, type FakeS3 } from './fake-s3.ts';
import { contentOf, filesToPut, itKeepsBackups, signal } from './store-contract.ts';

const credentials = { ...s3Secret, sessionToken: undefined, region: undefined };
const storeOf = ({ url }: FakeS3, options = {}): S3Store =>
  new S3Store({
    credentials,
    endpoint: url,
    region: 'eu-central-1',
    delays: [1, 1],
    idleMs: 10_000,
    ...options,
  });
const path = 'backups/etcd.backup';

describe('S3', () => {
  const file = filesToPut();
  itKeepsBackups(async (use) => {
    await using s3 = await startFakeS3();
    await use(storeOf(s3));
  }, 'backups/');

  test('reads the lists of servers that do not encode them', async () => {
    await using s3 = await startFakeS3({ encodes: false });
    const name = 'backups/a/etcd+1 & 2%20.db';
    await storeOf(s3).put(name, await file('x'), signal);
    expect(await storeOf(s3).list('backups/a/etcd+', signal)).toEqual([{ path: name, sizeBytes: 1 }]);
  });

  test('says what S3 answers, and nothing secret', async () => {
    await using s3 = await startFakeS3();
    const wrong = storeOf(s3, { credentials: { ...credentials, secretAccessKey: 'other-secret' } });
    const error = (await wrong
      .put(path, await file('x'), signal)
      .catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({
      reason: 'AccessDenied',
      message: `put s3://${path}: expected an answer of S3, got 403 SignatureDoesNotMatch: The request signature we calculated does not match.`,
    });
    expect(JSON.stringify(error)).not.toMatch(/AKIATEST|secret/);
    expect(s3.requests).toHaveLength(1);
    await expect(storeOf(s3).put('other/x', await file('x'), signal)).rejects.toMatchObject({
      reason: 'BucketNotFound',
      message:
        'put s3://other/x: expected an answer of S3, got 404 NoSuchBucket: The specified bucket does not exist',
    });
    await expect(storeOf(s3).list('other/x', signal)).rejects.toMatchObject({ reason: 'BucketNotFound' });
    await expect(wrong.stat(path, signal)).rejects.toMatchObject({ reason: 'AccessDenied' });
  });

  test('tries again after a failure of the server, and gives up in the end', async () => {
    await using s3 = await startFakeS3();
    const slowDown = {
      status: 503,
      body: '<Error><Code>SlowDown</Code><Message>Reduce your rate</Message></Error>',
    };
    s3.failures.push(slowDown, 'close');
    await storeOf(s3).put(path, await file('third time'), signal);
    expect(s3.requests).toHaveLength(3);
    expect(await contentOf(storeOf(s3), path)).toBe('third time');
    s3.failures.push(slowDown, slowDown, slowDown);
    await expect(storeOf(s3).delete(path, signal)).rejects.toMatchObject({
      reason: 'StoreFailed',
      message: `delete s3://${path}: expected an answer of S3, got 503 SlowDown: Reduce your rate`,
    });
    s3.failures.push('close', 'close', 'close');
    await expect(storeOf(s3).stat(path, signal)).rejects.toMatchObject({ reason: 'StoreUnreachable' });
  });

  test('does not wait for a server that is silent', async () => {
    await using s3 = await startFakeS3();
    s3.failures.push('hang');
    await storeOf(s3, { idleMs: 100 }).put(path, await file('x'), signal);
    expect(s3.requests).toHaveLength(2);
  });

  test('sends the body only to a server that wants it', async () => {
    await using s3 = await startFakeS3();
    await storeOf(s3).put(path, await file('x'), signal);
    expect(s3.requests[0]?.headers.expect).toBe('100-continue');
  });

  test('never shows a file that has changed on its way', async () => {
    await using s3 = await startFakeS3();
    const put = { ...(await file('content')), sha256: 'f'.repeat(64) };
    await expect(storeOf(s3).put(path, put, signal)).rejects.toMatchObject({ reason: 'ChecksumMismatch' });
    const truncated = { ...(await file('content')), sizeBytes: 20 };
    await expect(storeOf(s3, { idleMs: 100 }).put(path, truncated, signal)).rejects.toThrow(
      `put s3://${path}`,
    );
    expect(s3.objects.size).toBe(0);
  });

  test('refuses a file that is too large for one request', async () => {
    await using s3 = await startFakeS3();
    const large = { ...(await file('x')), sizeBytes: 5 * 1024 ** 3 + 1 };
    await expect(storeOf(s3).put(path, large, signal)).rejects.toMatchObject({ reason: 'TooLarge' });
    expect(s3.requests).toEqual([]);
  });

  test('is not misled by another server', async () => {
    await using s3 = await startFakeS3();
    s3.failures.push({ status: 200, body: '<html>Sign in</html>' });
    await expect(storeOf(s3).list(path, signal)).rejects.toThrow(/expected a list of objects from 127/);
  });

  test.each(['ftp://example.com', 'example.com', 'https://me:hidden@example.com'])(
    'refuses the endpoint %s',
    (endpoint) => {
      expect(() => new S3Store({ credentials, endpoint })).toThrow('endpoint: expected a URL');
      expect(() => new S3Store({ credentials, endpoint })).not.toThrow('hidden');
    },
  );
});
