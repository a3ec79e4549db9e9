import { createHash, createHmac } from 'node:crypto';
import { startServer, type Answer, type SeenRequest, type TestServer } from './test-server.ts';

export const s3Secret = { accessKeyId: 'AKIATEST', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+secret' };

export interface FakeS3 extends TestServer {
  /** Objects by `bucket/key`. */
  readonly objects: Map<string, { readonly content: Buffer; readonly sha256: string | undefined }>;
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message><AWSAccessKeyId>${s3Secret.accessKeyId}</AWSAccessKeyId></Error>`,
});

/**
 * Starts a server that keeps objects of the bucket `backups`, and checks signatures and checksums as S3 does.
 * @param encodes false for one that does not encode the keys in its lists, as some do
 */
export async function startFakeS3({ pageSize = 2, encodes = true } = {}): Promise<FakeS3> {
  const objects: FakeS3['objects'] = new Map();
  const answer = (request: SeenRequest): Answer => {
    const { method, url, headers, body } = request;
    if (signatureOf(request) !== /Signature=(\w+)/.exec(headers.authorization ?? '')?.[1])
      return refusal(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.');
    if (headers['x-amz-content-sha256'] !== sha256(body))
      return refusal(
        400,
        'XAmzContentSHA256Mismatch',
        'The provided checksum does not match what was computed.',
      );
    const path = decodeURIComponent(url.pathname.slice(1));
    if (!/^backups(?:\/|$)/.test(path))
      return refusal(404, 'NoSuchBucket', 'The specified bucket does not exist');
    const found = objects.get(path);
    if (method === 'PUT') {
      objects.set(path, { content: body, sha256: headers['x-amz-meta-sha256'] as string | undefined });
      return { status: 200 };
    }
    if (method === 'DELETE') return { status: objects.delete(path) ? 204 : 204 };
    if (url.searchParams.get('list-type') === '2') return { status: 200, body: list(path, url) };
    if (found === undefined) return refusal(404, 'NoSuchKey', 'The specified key does not exist.');
    const headersOfObject: Record<string, string> = { 'content-length': String(found.content.length) };
    if (found.sha256 !== undefined) headersOfObject['x-amz-meta-sha256'] = found.sha256;
    return {
      status: 200,
      headers: headersOfObject,
      body: found.content,
    };
  };
  const list = (bucket: string, { searchParams }: URL): string => {
    const prefix = `${bucket}/${searchParams.get('prefix')}`;
    const all = [...objects].filter(([path]) => path.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
    const start = Number(searchParams.get('continuation-token') ?? 0);
    const contents = all.slice(start, start + pageSize).map(([path, { content }]) => {
      const name = path.slice(bucket.length + 1);
      const encoded = encodeURIComponent(name).replaceAll('%20', '+').replaceAll('%2F', '/');
      const key = encodes ? encoded : name.replaceAll('&', '&amp;');
      return `<Contents><Key>${key}</Key><ETag>&quot;x&quot;</ETag><Size>${content.length}</Size></Contents>`;
    });
    const isTruncated = start + pageSize < all.length;
    const next = isTruncated ? `<NextContinuationToken>${start + pageSize}</NextContinuationToken>` : '';
    return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>${encodes ? 'url' : ''}</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`;
  };
  const server = await startServer(answer);
  return Object.assign(server, { objects });
}

/** Computes the signature of a request from what came over the wire, as AWS documents it. */
function signatureOf({ method, url, headers }: SeenRequest): string | undefined {
  const [, scope = '', names = ''] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const [date = '', region = '', service = ''] = scope.split('/');
  const canonical = [
    method,
    url.pathname,
    [...url.search.slice(1).split('&')]
      .sort()
      .map((pair) => (pair === '' || pair.includes('=') ? pair : `${pair}=`))
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name])}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce(
    hmac,
    Buffer.from(`AWS4${s3Secret.secretAccessKey}`),
  );
  return hmac(key, text).toString('hex');
}
