// The object stores of the tests hold what they are given, and refuse whoever has other credentials.
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ensureObjectStores, reasonOf } from '../../../scripts/lib/test-programs.mjs';
import { googleToken, s3Request } from '../../helpers/object-store-requests.ts';
import { startGcs, startS3 } from '../../helpers/object-stores.ts';

/** Why they are unavailable here. */
const reason = await reasonOf(ensureObjectStores());
const suffix = reason === undefined ? '' : ` (${reason})`;

describe.skipIf(reason !== undefined)(`object stores${suffix}`, () => {
  test('S3: an object comes back, and another key or an old signature is refused', async () => {
    await using server = await startS3('backups');
    const path = '/backups/etcd/first.db';
    const put = await s3Request(server, 'PUT', path, 'snapshot');
    expect(put.status, await put.text()).toBe(200);
    const got = await s3Request(server, 'GET', path);
    expect([got.status, await got.text()]).toEqual([200, 'snapshot']);
    const listed = await s3Request(server, 'GET', '/backups/', '', { 'list-type': '2', prefix: 'etcd/' });
    expect(await listed.text()).toContain('<Key>etcd/first.db</Key>');

    const refused = await s3Request({ ...server, secretAccessKey: 'other' }, 'GET', path);
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('SignatureDoesNotMatch'),
    ]);
    const old = await s3Request(server, 'GET', path, '', {}, new Date(Date.now() - 3_600_000));
    expect([old.status, await old.text()]).toEqual([403, expect.stringContaining('RequestTimeTooSkewed')]);
    expect((await fetch(`${server.endpoint}${path}`)).status).toBe(403);
    const absent = await s3Request(server, 'GET', '/absent/key');
    expect([absent.status, await absent.text()]).toEqual([404, expect.stringContaining('NoSuchBucket')]);
  });

  test('GCS: an object comes back with a token, which only a signed assertion buys', async () => {
    await using server = await startGcs('backups');
    const upload = `${server.endpoint}/upload/storage/v1/b/backups/o?uploadType=media&name=etcd%2Ffirst.db`;
    const download = `${server.endpoint}/storage/v1/b/backups/o/etcd%2Ffirst.db?alt=media`;
    expect((await fetch(download)).status).toBe(401);
    const { status, body } = await googleToken(server.serviceAccount);
    expect(status).toBe(200);
    const headers = { authorization: `Bearer ${String(body['access_token'])}` };
    const put = await fetch(upload, { method: 'POST', headers, body: 'snapshot' });
    expect(put.status, await put.text()).toBe(200);
    const got = await fetch(download, { headers });
    expect([got.status, await got.text()]).toEqual([200, 'snapshot']);
    expect((await fetch(download.replace('first', 'absent'), { headers })).status).toBe(404);

    const begin = upload.replace('media', 'resumable');
    expect((await fetch(begin, { method: 'POST', body: '{}' })).status).toBe(401);
    const begun = await fetch(begin, { method: 'POST', headers, body: '{}' });
    const session = begun.headers.get('location') ?? '';
    expect((await fetch(session, { method: 'PUT', body: 'in parts' })).status).toBe(200);
    expect((await fetch(`${session}0`, { method: 'PUT', body: 'forged' })).status).toBe(401);
    expect(await (await fetch(download, { headers })).text()).toBe('in parts');

    for (const claims of [
      { iss: 'other@test-project.iam.gserviceaccount.com' },
      { aud: 'https://oauth2.googleapis.com/token' },
      { scope: 'https://www.googleapis.com/auth/compute' },
      { exp: Math.floor(Date.now() / 1000) + 7200 },
      { iat: 0, exp: 3600 },
    ])
      expect(await googleToken(server.serviceAccount, claims)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const forged = JSON.stringify({
      ...(JSON.parse(server.serviceAccount) as object),
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    });
    expect(await googleToken(forged)).toMatchObject({
      status: 400,
      body: { error_description: 'Invalid JWT Signature.' },
    });
  });
});
