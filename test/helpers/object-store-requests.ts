// Requests to object stores, signed by code that shares nothing with that of operators.
import { createHash, createHmac, createPrivateKey, sign } from 'node:crypto';
import type { S3Server } from './object-stores.ts';

type S3Credentials = Pick<S3Server, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>;

interface GoogleKey {
  readonly client_email: string;
  readonly private_key: string;
  readonly token_uri: string;
}

/**
 * Asks for a token as Google's documents say.
 * @param url of the token server, where its name cannot be looked up
 * @see https://developers.google.com/identity/protocols/oauth2/service-account
 */
export async function googleToken(
  serviceAccount: string,
  claims: object = {},
  url?: string,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const key = JSON.parse(serviceAccount) as GoogleKey;
  const iat = Math.floor(Date.now() / 1000);
  const scope = 'https://www.googleapis.com/auth/devstorage.read_write';
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({
    ...{ iss: key.client_email, aud: key.token_uri, scope, iat, exp: iat + 3600 },
    ...claims,
  })}`;
  const signature = sign('sha256', Buffer.from(signed), createPrivateKey(key.private_key));
  const response = await fetch(url ?? key.token_uri, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: `${signed}.${signature.toString('base64url')}`,
    }),
  });
  return {
    status: response.status,
    body: (await response.json()) as Readonly<Record<string, unknown>>,
  };
}

/** Sends a request signed with Signature Version 4. @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
export async function s3Request(
  { endpoint, region, accessKeyId, secretAccessKey }: S3Credentials,
  method: string,
  path: string,
  body = '',
  query: Readonly<Record<string, string>> = {},
  date = new Date(),
): Promise<Response> {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const hmac = (key: string | Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  const time = date.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const headers = {
    host: new URL(endpoint).host,
    'x-amz-content-sha256': sha256(body),
    'x-amz-date': time,
  };
  const names = Object.keys(headers).join(';');
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = [method, path, search, lines.join(''), names, sha256(body)].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secretAccessKey}`, day));
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const signature = hmac(key, text).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return fetch(`${endpoint}${path}${search === '' ? '' : `?${search}`}`, {
    method,
    headers: { ...headers, authorization },
    ...(method === 'PUT' && { body }),
  });
}
