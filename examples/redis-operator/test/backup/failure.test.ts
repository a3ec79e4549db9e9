import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failureText, PermanentError, readFailure } from '../../src/backup/failure.ts';
import { restore } from '../../src/backup/tool.ts';
import { FakeS3 } from '../fixtures/fake-s3.ts';

describe('the message of a program that has failed', () => {
  test('is read back', () => {
    expect(readFailure(failureText(new PermanentError('AccessDenied', 'a "b"\n')))).toEqual({
      ...{ reason: 'AccessDenied', message: 'a "b"\n' },
    });
    expect(readFailure(failureText(new TypeError('x')))).toEqual({ reason: 'UnexpectedError', message: 'x' });
    expect(readFailure(failureText('x'))).toEqual({ reason: 'UnexpectedError', message: 'x' });
  });

  test.each(['x', '"', 'é', '🙂', '\0'])('fits into a termination message of %j', (character) => {
    for (const length of [1000, 2047, 2048, 4096, 5000]) {
      const text = failureText(new Error(character.repeat(length)));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
      expect(readFailure(text)?.message.startsWith(character)).toBe(true);
    }
  });
});

describe('the program of Jobs', () => {
  let s3: FakeS3;
  let folder: string;
  beforeEach(async () => {
    s3 = await FakeS3.start();
    folder = await mkdtemp(join(tmpdir(), 'redis-tool-'));
  });
  afterEach(async () => {
    process.exitCode = undefined;
    await s3[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const log = { info: vi.fn(), error: vi.fn() } as unknown as Parameters<typeof restore>[0]['log'];
  /** Restores a backup. @returns the failure that it has written */
  const run = async (change: Readonly<Record<string, string>>) => {
    const file = join(folder, 'termination-log');
    const env = {
      ...{ RESULT_FILE: file, BACKUP_PATH: 'team/nightly/1', REDIS_HOST: '127.0.0.1' },
      ...{ S3_ENDPOINT: s3.endpoint, S3_BUCKET: s3.bucket, S3_REGION: 'us-east-1' },
      ...{ S3_ACCESS_KEY_ID: 'access', S3_SECRET_ACCESS_KEY: 'secret' },
      ...change,
    };
    const error = await restore({ log, signal: new AbortController().signal }, env).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { error, failure: readFailure(await readFile(file, 'utf8')), exitCode: process.exitCode };
  };

  test.each<{ change: Readonly<Record<string, string>>; failure: object }>([
    {
      change: { S3_ACCESS_KEY_ID: 'other' },
      failure: {
        reason: 'AccessDenied',
        message: 'S3: GET /backups/team/nightly/1/manifest.json: 403 AccessDenied said the store',
      },
    },
    {
      change: { S3_BUCKET: 'missing' },
      failure: { reason: 'BucketNotFound', message: 'S3: bucket missing does not exist' },
    },
    {
      change: {},
      failure: {
        reason: 'BackupNotFound',
        message: 'team/nightly/1/manifest.json: expected the manifest of a backup, which does not exist',
      },
    },
  ])('ends with the code by which a Job gives up: $failure.reason', async ({ change, failure }) => {
    expect(await run(change)).toEqual({ error: undefined, failure, exitCode: 3 });
  });

  test('ends with an error that another attempt may mend', async () => {
    const { failure, exitCode, error } = await run({ S3_REGION: '' });
    expect(failure).toEqual({
      ...{ reason: 'UnexpectedError', message: 'expected the variable S3_REGION, which is missing' },
    });
    expect(error).toBeInstanceOf(Error);
    expect(exitCode).toBeUndefined();
  });
});
