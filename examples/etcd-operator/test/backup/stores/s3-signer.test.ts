import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { emptySha256, signedHeaders } from '../../../src/backup/stores/s3-signer.ts';

// Examples of "Authenticating Requests: Using the Authorization Header" in AWS's reference of S3.
const options = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
  region: 'us-east-1',
  now: Date.UTC(2013, 4, 24),
};
const host = 'https://examplebucket.s3.amazonaws.com';

interface PublishedCase {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly body: string;
  readonly signature: string;
}

test.each<PublishedCase>([
  {
    name: 'get an object',
    request: { method: 'GET', url: `${host}/test.txt`, headers: { range: 'bytes=0-9' } },
    body: '',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'put an object',
    request: {
      method: 'PUT',
      url: `${host}/test%24file.text`,
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    },
    body: 'Welcome to Amazon S3.',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    name: 'get the lifecycle of a bucket',
    request: { method: 'GET', url: `${host}/?lifecycle` },
    body: '',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    name: 'list objects',
    request: { method: 'GET', url: `${host}/?max-keys=2&prefix=J` },
    body: '',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
])('signs as AWS publishes it: $name', async ({ request, body, signature }) => {
  const sha256 = createHash('sha256').update(body).digest('hex');
  if (body === '') expect(sha256).toBe(emptySha256);
  const { authorization } = await signedHeaders({ ...request, url: new URL(request.url), sha256 }, options);
  expect(authorization).toContain('Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request');
  expect(authorization).toContain(`Signature=${signature}`);
});

test('signs the token of temporary credentials', async () => {
  const request = { method: 'GET', url: new URL(host), sha256: emptySha256 };
  const headers = await signedHeaders(request, { ...options, sessionToken: 'token' });
  expect(headers['x-amz-security-token']).toBe('token');
  expect(headers['authorization']).toMatch(/SignedHeaders=[^,]*x-amz-security-token/);
});
