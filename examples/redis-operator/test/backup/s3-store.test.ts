import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { S3Store, type S3Options } from '../../src/backup/s3-store.ts';
import { FakeS3 } from '../fixtures/fake-s3.ts';

describe('S3Store', () => {
  let s3: FakeS3;
  beforeEach(async () => {
    s3 = await FakeS3.start();
  });
  afterEach(() => s3[Symbol.asyncDispose]());
  const storeOf = (change: Partial<S3Options> = {}): S3Store =>
    new S3Store({
      ...{ endpoint: s3.endpoint, bucket: s3.bucket, region: 'us-east-1' },
      ...{ accessKeyId: 'access', secretAccessKey: 'secret' },
      ...change,
    });

  test('puts, gets and deletes files', async () => {
    const store = storeOf();
    await store.put('team a/nightly/x+1', Buffer.from([0, 255]));
    expect([...s3.files.keys()]).toEqual(['team a/nightly/x+1']);
    expect(await store.get('team a/nightly/x+1')).toEqual(Buffer.from([0, 255]));
    await store.delete('team a/nightly/x+1');
    expect(await store.get('team a/nightly/x+1')).toBeUndefined();
    await store.delete('team a/nightly/x+1');
  });

  test('lists files of all pages, with their times', async () => {
    const store = storeOf();
    s3.pageSize = 2;
    for (const key of ['a/3', 'a/1', 'b/1', 'a/2 &']) await store.put(key, Buffer.from(key));
    const files = await store.list('a/');
    expect(files.map(({ key }) => key)).toEqual(['a/1', 'a/2 &', 'a/3']);
    expect(files.every(({ modifiedAt }) => Math.abs(modifiedAt - Date.now()) < 60_000)).toBe(true);
  });

  test('tries again while the store is busy', async () => {
    s3.failures = 2;
    await storeOf().put('a', Buffer.from('x'));
    expect(s3.files.size).toBe(1);
  });

  test('says what the store has refused', async () => {
    await expect(storeOf({ accessKeyId: 'other' }).get('a')).rejects.toThrow(
      'S3: GET /backups/a: 403 AccessDenied said the store',
    );
    await expect(storeOf({ bucket: 'missing' }).get('a')).rejects.toThrow('bucket missing does not exist');
  });
});
