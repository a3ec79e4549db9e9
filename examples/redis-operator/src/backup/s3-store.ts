import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { PermanentError } from './failure.ts';
import type { ListedFile, ObjectStore } from './object-store.ts';

export interface S3Options {
  /** Such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that end. */
  readonly sessionToken?: string | undefined;
}

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Status that is an answer, too, beside success. */
  readonly allow?: number;
}

/** Milliseconds for a request: 32 MiB over a slow line. */
const requestTimeout = 120_000;

/** Further tries after errors of the store, within about 15 seconds. */
const retries = 6;

/**
 * A bucket of S3, or of a store with its protocol. Requests are signed with AWS Signature Version 4 over their content.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */
export class S3Store implements ObjectStore {
  readonly #client: AwsClient;
  readonly #options: S3Options;
  readonly #signal: AbortSignal | undefined;

  /** @param signal ends all requests */
  constructor(options: S3Options, signal?: AbortSignal) {
    const { accessKeyId, secretAccessKey, sessionToken, region } = options;
    this.#client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      region,
      service: 's3',
      retries,
      initRetryMs: 250,
    });
    this.#options = options;
    this.#signal = signal;
  }

  async put(key: string, body: Buffer): Promise<void> {
    await this.#send({ method: 'PUT', key, body });
  }

  async get(key: string): Promise<Buffer | undefined> {
    const response = await this.#send({ method: 'GET', key, allow: 404 });
    const content = Buffer.from(await response.arrayBuffer());
    if (response.ok) return content;
    // The same status is the answer for a bucket that does not exist.
    if (content.includes('NoSuchBucket')) throw this.#noBucket();
    return undefined;
  }

  async list(prefix: string): Promise<readonly ListedFile[]> {
    const files: ListedFile[] = [];
    for (let token: string | undefined; ;) {
      const query = {
        'list-type': '2',
        'encoding-type': 'url',
        prefix,
        ...(token !== undefined && { 'continuation-token': token }),
      };
      const text = await (await this.#send({ method: 'GET', query })).text();
      const times = elementsOf(text, 'LastModified');
      for (const [index, key] of elementsOf(text, 'Key').entries())
        files.push({
          key: decodeURIComponent(key.replaceAll('+', ' ')),
          modifiedAt: Date.parse(times[index] ?? ''),
        });
      [token] = elementsOf(text, 'NextContinuationToken');
      if (token === undefined) return files.sort((a, b) => (a.key < b.key ? -1 : 1));
    }
  }

  async delete(key: string): Promise<void> {
    await this.#send({ method: 'DELETE', key, allow: 404 });
  }

  async #send({ method, key = '', query = {}, body, allow }: S3Request): Promise<Response> {
    const { endpoint, bucket } = this.#options;
    const path = [bucket, ...key.split('/')].map(encodeURIComponent).join('/');
    const url = new URL(`${endpoint.replace(/\/$/, '')}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const timeout = AbortSignal.timeout(requestTimeout * (retries + 1));
    const response = await this.#client
      .fetch(url, {
        method,
        headers: {
          'x-amz-content-sha256': createHash('sha256')
            .update(body ?? '')
            .digest('hex'),
        },
        ...(body && { body: new Uint8Array(body) }),
        signal: this.#signal === undefined ? timeout : AbortSignal.any([this.#signal, timeout]),
      })
      .catch((error: unknown) => {
        throw new Error(`S3: ${url.host} cannot be reached: ${causeOf(error)}`, { cause: error });
      });
    if (response.ok || response.status === allow) return response;
    const text = await response.text();
    const [code = response.statusText] = elementsOf(text, 'Code');
    const [message = ''] = elementsOf(text, 'Message');
    if (code === 'NoSuchBucket') throw this.#noBucket();
    const refusal = `S3: ${method} ${url.pathname}: ${response.status} ${code} ${message}`.trim();
    if (response.status === 401 || response.status === 403) throw new PermanentError('AccessDenied', refusal);
    throw new Error(refusal);
  }

  #noBucket(): PermanentError {
    return new PermanentError('BucketNotFound', `S3: bucket ${this.#options.bucket} does not exist`);
  }
}

/** Returns the texts of all elements of a name in an answer of S3. */
function elementsOf(xml: string, name: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
