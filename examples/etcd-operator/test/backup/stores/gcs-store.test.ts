import { describe, expect, test } from 'vitest';
import { gcsCredentials } from '../../../src/backup/stores/gcs-credentials.ts';
import { GcsStore } from '../../../src/backup/stores/gcs-store.ts';
import { startFakeGcs, type FakeGcs } from './fake-gcs.ts';
import { contentOf, filesToPut, itKeepsBackups, signal } from './store-contract.ts';

const storeOf = ({ url, keyFile }: FakeGcs, options = {}): GcsStore =>
  new GcsStore({
    credentials: gcsCredentials({ 'credentials.json': keyFile }),
    endpoint: url,
    delays: [1, 1],
    idleMs: 10_000,
    ...options,
  });
const path = 'backups/etcd.backup';

describe('Google Cloud Storage', () => {
  const file = filesToPut();
  itKeepsBackups(async (use) => {
    await using gcs = await startFakeGcs();
    await use(storeOf(gcs));
  }, 'backups/');

  test('asks for one token for all its requests', async () => {
    await using gcs = await startFakeGcs();
    const store = storeOf(gcs);
    await store.put(path, await file('x'), signal);
    await store.list(path, signal);
    expect(gcs.tokens).toHaveLength(1);
  });

  test('asks for another token when the server refuses one', async () => {
    await using gcs = await startFakeGcs();
    const store = storeOf(gcs);
    await store.list(path, signal);
    gcs.tokens[0] = 'revoked';
    await store.list(path, signal);
    expect(gcs.tokens).toHaveLength(2);
    gcs.givesBadTokens = true;
    await expect(store.list(path, signal)).rejects.toMatchObject({
      reason: 'AccessDenied',
      message: `list gs://${path}: expected an answer of Cloud Storage, got 401 Invalid Credentials`,
    });
  });

  test('says why it got no token', async () => {
    await using gcs = await startFakeGcs();
    await using other = await startFakeGcs();
    const changed = JSON.stringify({
      ...(JSON.parse(gcs.keyFile) as object),
      client_email: 'other@example.com',
    });
    const store = storeOf({ ...other, keyFile: changed, url: other.url });
    await expect(store.list(path, signal)).rejects.toMatchObject({
      reason: 'AccessDenied',
      message: `get a token for other@example.com from ${new URL(gcs.url).host}: expected a token, got 400 invalid_grant: Invalid claims.`,
    });
  });

  test('goes on with an upload that broke off', async () => {
    await using gcs = await startFakeGcs();
    const content = 'abc'.repeat(100_000);
    gcs.breakUploadAfter = 100_001;
    await storeOf(gcs).put(path, await file(content), signal);
    expect(await contentOf(storeOf(gcs), path)).toBe(content);
    const ranges = gcs.requests.flatMap(({ headers }) => headers['content-range'] ?? []);
    expect(ranges).toEqual(['bytes 0-299999/300000', 'bytes */300000', 'bytes 100001-299999/300000']);
  });

  test('begins again when the server has forgotten the upload', async () => {
    await using gcs = await startFakeGcs();
    gcs.failures.push({ status: 200, headers: {}, body: '{"access_token":"t","expires_in":3600}' });
    gcs.tokens.push('t');
    gcs.failures.push({ status: 200, headers: { location: `${gcs.url}/session/none` } });
    await storeOf(gcs).put(path, await file('x'), signal);
    expect(await contentOf(storeOf(gcs), path)).toBe('x');
  });

  test('says what the server answers, and no address of an upload', async () => {
    await using gcs = await startFakeGcs();
    const missing = storeOf(gcs).put('other/x', await file('x'), signal);
    await expect(missing).rejects.toMatchObject({
      reason: 'BucketNotFound',
      message:
        'put gs://other/x: expected an answer of Cloud Storage, got 404 The specified bucket does not exist.',
    });
    const store = storeOf(gcs, { delays: [] });
    await store.list(path, signal);
    gcs.breakUploadAfter = 0;
    const error = (await store
      .put(path, await file('x'), signal)
      .catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toBe(`put gs://${path}: expected an answer of Cloud Storage, got 503`);
    expect(JSON.stringify(error)).not.toContain('upload_id');
  });

  test('never shows a file that has changed on its way', async () => {
    await using gcs = await startFakeGcs();
    const put = { ...(await file('content')), sizeBytes: 3 };
    await expect(storeOf(gcs, { idleMs: 200 }).put(path, put, signal)).rejects.toThrow(`put gs://${path}`);
    expect(gcs.objects.size).toBe(0);
  });
});

describe('a Secret for Google Cloud Storage', () => {
  test('has a token', () => {
    expect(gcsCredentials({ 'access-token': 'ya29\n' })).toEqual({ token: 'ya29' });
  });

  test.each([
    [{}, 'expected the key `credentials.json` or `access-token`, got neither'],
    [{ 'credentials.json': 'not JSON HIDDEN' }, 'expected the JSON key file of a service account'],
    [
      { 'credentials.json': '{"type":"authorized_user"}' },
      'expected a key of type service_account, got "authorized_user"',
    ],
    [
      { 'credentials.json': '{"type":"service_account","private_key":"HIDDEN"}' },
      'client_email, token_uri missing',
    ],
    [
      {
        'credentials.json':
          '{"type":"service_account","private_key":"HIDDEN","client_email":"a","token_uri":"https://example.com"}',
      },
      'expected an RSA key in PEM in private_key',
    ],
  ])('lacks something: %j', (secret, message) => {
    expect(() => gcsCredentials(secret as Record<string, string>)).toThrow(message);
    expect(() => gcsCredentials(secret as Record<string, string>)).not.toThrow(/HIDDEN/);
  });
});
