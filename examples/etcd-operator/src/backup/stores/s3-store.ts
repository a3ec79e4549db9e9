import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { headerOf, send, textOf } from '../http.ts';
import type { BackupStore, FileToPut, ListedBackup, OpenedBackup, StoredBackup } from './backup-store.ts';
import { bucketPath, encode, queryOf } from './bucket-path.ts';
import type { S3Credentials } from './s3-credentials.ts';
import { emptySha256, signedHeaders } from './s3-signer.ts';
import { callStore, type StoreCallOptions } from './store-calls.ts';
import { isRetryableStatus, reasonOfStatus, StoreError } from './store-error.ts';
import { elementOf, elementsOf } from './xml.ts';

export interface S3Options extends StoreCallOptions {
  readonly credentials: S3Credentials;
  /** Default: the region of the Secret, else `us-east-1`. */
  readonly region?: string | undefined;
  /** Address of a server that speaks S3, such as `https://minio.example.com:9000`. Default: AWS's of the region. */
  readonly endpoint?: string | undefined;
  /** True to name the bucket in the path, false to name it in the host. Default: true. */
  readonly forcePathStyle?: boolean | undefined;
}

/** Largest object that one request can put: 5 GiB. Larger ones would need several parts; etcd advises at most 8 GiB. */
const largestPut = 5 * 1024 ** 3;

/** Header with the checksum of a backup. */
const checksumHeader = 'x-amz-meta-sha256';

interface Call {
  readonly method: 'GET' | 'PUT' | 'HEAD' | 'DELETE';
  readonly bucket: string;
  readonly key?: string | undefined;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly sha256?: string | undefined;
  /** Opens the body; called for each attempt. */
  readonly body?: (() => Readable) | undefined;
  /** Statuses that are answers. */
  readonly expected: readonly number[];
}

/** Keeps backups as objects of a bucket of S3. S3 compares the checksum of what it gets before it shows an object. */
export class S3Store implements BackupStore {
  readonly #options: S3Options;
  readonly #region: string;
  readonly #endpoint: URL;

  /** @throws StoreError `PathInvalid` for an endpoint that is not a URL */
  constructor(options: S3Options) {
    this.#options = options;
    this.#region = options.region ?? options.credentials.region ?? 'us-east-1';
    const domain = this.#region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
    this.#endpoint = endpointUrl(options.endpoint ?? `https://s3.${this.#region}.${domain}`);
  }

  async put(path: string, { file, sizeBytes, sha256 }: FileToPut, signal: AbortSignal): Promise<void> {
    const { bucket, key } = bucketPath(path);
    if (sizeBytes > largestPut)
      throw new StoreError('TooLarge', `put s3://${path}: expected at most 5 GiB, got ${sizeBytes} bytes`);
    const headers = { 'content-length': String(sizeBytes), [checksumHeader]: sha256 };
    const body = (): Readable => createReadStream(file);
    const call: Call = { method: 'PUT', bucket, key, headers, sha256, body, expected: [200] };
    await this.#text(call, `put s3://${path}`, signal);
  }

  async get(path: string, signal: AbortSignal): Promise<OpenedBackup> {
    const { bucket, key } = bucketPath(path);
    const what = `get s3://${path}`;
    const response = await this.#send({ method: 'GET', bucket, key, expected: [200] }, what, signal);
    return { ...storedBackup(path, response), body: response };
  }

  async stat(path: string, signal: AbortSignal): Promise<StoredBackup | undefined> {
    const { bucket, key } = bucketPath(path);
    const call: Call = { method: 'HEAD', bucket, key, expected: [200, 404] };
    const response = await this.#send(call, `stat s3://${path}`, signal);
    response.resume();
    return response.statusCode === 404 ? undefined : storedBackup(path, response);
  }

  async list(prefix: string, signal: AbortSignal): Promise<readonly ListedBackup[]> {
    const { bucket, key: keyPrefix } = bucketPath(prefix);
    const what = `list s3://${prefix}`;
    const found: ListedBackup[] = [];
    for (let token: string | undefined; ;) {
      const query = {
        'continuation-token': token,
        'encoding-type': 'url',
        'list-type': '2',
        prefix: keyPrefix,
      };
      const xml = await this.#text({ method: 'GET', bucket, query, expected: [200] }, what, signal);
      if (!xml.includes('<ListBucketResult'))
        throw new StoreError(
          'StoreFailed',
          `${what}: expected a list of objects from ${this.#endpoint.host}`,
        );
      const isEncoded = elementOf(xml, 'EncodingType') === 'url';
      for (const object of elementsOf(xml, 'Contents')) {
        const key = elementOf(object, 'Key') ?? '';
        // The encoding is that of forms, where a plus sign is a space. Some servers do not know it.
        const name = isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key;
        found.push({ path: `${bucket}/${name}`, sizeBytes: Number(elementOf(object, 'Size')) });
      }
      token = elementOf(xml, 'IsTruncated') === 'true' ? elementOf(xml, 'NextContinuationToken') : undefined;
      if (token === undefined) break;
    }
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async delete(path: string, signal: AbortSignal): Promise<void> {
    const { bucket, key } = bucketPath(path);
    const call: Call = { method: 'DELETE', bucket, key, expected: [200, 204, 404] };
    const what = `delete s3://${path}`;
    await this.#text(call, what, signal);
  }

  #urlOf({ bucket, key, query = {} }: Call): URL {
    const url = new URL(this.#endpoint);
    const isInPath = this.#options.forcePathStyle ?? true;
    if (!isInPath) url.hostname = `${bucket}.${url.hostname}`;
    const steps = [...(isInPath ? [bucket] : []), ...(key?.split('/') ?? [])].map(encode).join('/');
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${steps}`;
    url.search = queryOf(query);
    return url;
  }

  /** Sends a call, and reads its answer within the same attempts: an answer that breaks off is asked for again. */
  #text(call: Call, what: string, signal: AbortSignal): Promise<string> {
    return this.#attempts(what, signal, async () => textOf(await this.#once(call, what, signal), 16_000_000));
  }

  #send(call: Call, what: string, signal: AbortSignal): Promise<IncomingMessage> {
    return this.#attempts(what, signal, () => this.#once(call, what, signal));
  }

  #attempts<T>(what: string, signal: AbortSignal, once: () => Promise<T>): Promise<T> {
    return callStore(once, { what, host: this.#endpoint.host, delays: this.#options.delays, signal });
  }

  async #once(call: Call, what: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { method, headers, sha256 = emptySha256, body, expected } = call;
    const { credentials, idleMs } = this.#options;
    const url = this.#urlOf(call);
    const signing = { ...credentials, region: this.#region, now: Date.now() };
    const signed = await signedHeaders({ method, url, sha256, headers }, signing);
    const response = await send({ method, url, headers: signed, body: body?.(), idleMs }, signal);
    if (expected.includes(response.statusCode ?? 0)) return response;
    throw refusal(what, response.statusCode ?? 0, method === 'HEAD' ? '' : await textOf(response));
  }
}

/** Returns the error for an answer of S3. Only its code and message are shown: other parts repeat the request's signature. */
function refusal(what: string, status: number, body: string): StoreError {
  const code = elementOf(body, 'Code');
  const message = elementOf(body, 'Message');
  const said = [code, message].filter((part) => part !== undefined && part !== '').join(': ');
  const text = `${what}: expected an answer of S3, got ${status}${said === '' ? '' : ` ${said}`}`;
  if (code === 'XAmzContentSHA256Mismatch' || code === 'BadDigest' || code === 'IncompleteBody')
    return new StoreError('ChecksumMismatch', text, { retryable: true });
  if (code === 'NoSuchBucket') return new StoreError('BucketNotFound', text);
  if (code === 'EntityTooLarge') return new StoreError('TooLarge', text);
  return new StoreError(reasonOfStatus(status), text, { retryable: isRetryableStatus(status) });
}

function storedBackup(path: string, response: IncomingMessage): StoredBackup {
  const sizeBytes = Number(headerOf(response, 'content-length') ?? NaN);
  return { path, sizeBytes, sha256: headerOf(response, checksumHeader) };
}

function endpointUrl(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new StoreError(
      'PathInvalid',
      `endpoint: expected a URL of http or https, got ${JSON.stringify(endpoint)}`,
    );
  if (url.username !== '' || url.password !== '')
    throw new StoreError(
      'PathInvalid',
      `endpoint: expected a URL without user and password, got one of ${url.host}`,
    );
  return url;
}
