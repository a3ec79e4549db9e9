import type { IncomingMessage } from 'node:http';
import { send, textOf } from '../http.ts';
import type { BackupStore, FileToPut, ListedBackup, OpenedBackup, StoredBackup } from './backup-store.ts';
import { bucketPath, encode, queryOf } from './bucket-path.ts';
import type { GcsCredentials } from './gcs-credentials.ts';
import { GcsTokens } from './gcs-token.ts';
import { uploadToSession } from './gcs-upload.ts';
import { callStore, type StoreCallOptions } from './store-calls.ts';
import { isRetryableStatus, reasonOfStatus, StoreError } from './store-error.ts';

export interface GcsOptions extends StoreCallOptions {
  readonly credentials: GcsCredentials;
  /** Address of Cloud Storage. Default: `https://storage.googleapis.com`. */
  readonly endpoint?: string | undefined;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query below the endpoint. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  readonly expected: readonly number[];
}

/** Object as Cloud Storage describes it. */
interface GcsObject {
  readonly name?: string;
  /** Number of bytes, as text. */
  readonly size?: string;
  readonly generation?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Keeps backups as objects of a bucket of Google Cloud Storage, by its JSON API. */
export class GcsStore implements BackupStore {
  readonly #options: GcsOptions;
  readonly #endpoint: string;
  readonly #host: string;
  readonly #tokens: GcsTokens;

  /** @throws StoreError `PathInvalid` for an endpoint that is not a URL */
  constructor(options: GcsOptions) {
    const { endpoint = 'https://storage.googleapis.com', credentials } = options;
    if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
      throw new StoreError(
        'PathInvalid',
        `endpoint: expected a URL of http or https, got ${JSON.stringify(endpoint)}`,
      );
    this.#options = options;
    this.#endpoint = endpoint.replace(/\/$/, '');
    this.#host = new URL(endpoint).host;
    this.#tokens = new GcsTokens(credentials, options);
  }

  async put(path: string, file: FileToPut, signal: AbortSignal): Promise<void> {
    const { bucket, key } = bucketPath(path);
    const what = `put gs://${path}`;
    await uploadToSession(file, {
      what,
      host: this.#host,
      delays: this.#options.delays,
      idleMs: this.#options.idleMs,
      refusal,
      // The token opens the session; the session's address is the right to write to it.
      open: async (resource, abort) => {
        const body = JSON.stringify(resource);
        const headers = {
          'content-type': 'application/json; charset=UTF-8',
          'x-upload-content-length': String(file.sizeBytes),
        };
        const query = queryOf({ uploadType: 'resumable', name: key });
        const call: Call = {
          method: 'POST',
          path: `/upload/storage/v1/b/${encode(bucket)}/o${query}`,
          headers,
          body,
          expected: [200],
        };
        const response = await this.#once(call, what, abort).catch((error: unknown) => {
          throw bucketOf(error);
        });
        response.resume();
        return response.headers.location ?? '';
      },
      signal,
    });
  }

  async get(path: string, signal: AbortSignal): Promise<OpenedBackup> {
    const what = `get gs://${path}`;
    const object = await this.#object(path, what, signal);
    if (object === undefined) throw new StoreError('BackupNotFound', `${what}: expected an object, got 404`);
    // The generation names this content, whatever is put there meanwhile.
    const query = queryOf({ alt: 'media', generation: object.generation });
    const call: Call = { method: 'GET', path: `${objectPath(path)}${query}`, expected: [200] };
    const body = await this.#attempts(what, signal, () => this.#once(call, what, signal));
    return { ...storedBackup(path, object), body };
  }

  async stat(path: string, signal: AbortSignal): Promise<StoredBackup | undefined> {
    const object = await this.#object(path, `stat gs://${path}`, signal);
    return object === undefined ? undefined : storedBackup(path, object);
  }

  async list(prefix: string, signal: AbortSignal): Promise<readonly ListedBackup[]> {
    const { bucket, key } = bucketPath(prefix);
    const found: ListedBackup[] = [];
    for (let pageToken: string | undefined; ;) {
      const query = queryOf({ prefix: key, fields: 'items(name,size),nextPageToken', pageToken });
      const call: Call = {
        method: 'GET',
        path: `/storage/v1/b/${encode(bucket)}/o${query}`,
        expected: [200],
      };
      const page = (await this.#json(call, `list gs://${prefix}`, signal)) as {
        readonly items?: readonly GcsObject[];
        readonly nextPageToken?: string;
      };
      for (const { name = '', size } of page.items ?? [])
        found.push({ path: `${bucket}/${name}`, sizeBytes: Number(size) });
      pageToken = page.nextPageToken;
      if (pageToken === undefined || pageToken === '') break;
    }
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async delete(path: string, signal: AbortSignal): Promise<void> {
    const what = `delete gs://${path}`;
    const call: Call = { method: 'DELETE', path: objectPath(path), expected: [200, 204, 404] };
    await this.#attempts(what, signal, async () => textOf(await this.#once(call, what, signal)));
  }

  async #object(path: string, what: string, signal: AbortSignal): Promise<GcsObject | undefined> {
    const call: Call = { method: 'GET', path: objectPath(path), expected: [200, 404] };
    return this.#json(call, what, signal);
  }

  /** Returns the answer's JSON, or undefined for a 404 that is expected. */
  #json(call: Call, what: string, signal: AbortSignal): Promise<object | undefined> {
    return this.#attempts(what, signal, async () => {
      const response = await this.#once(call, what, signal);
      const text = await textOf(response, 16_000_000);
      if (response.statusCode === 404) return undefined;
      try {
        return JSON.parse(text) as object;
      } catch {
        throw new StoreError('StoreFailed', `${what}: expected JSON from ${this.#host}`);
      }
    });
  }

  #attempts<T>(what: string, signal: AbortSignal, once: () => Promise<T>): Promise<T> {
    return callStore(once, { what, host: this.#host, delays: this.#options.delays, signal });
  }

  /** Sends a call once; with a new token if the present one is refused. */
  async #once(call: Call, what: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { method, path, headers = {}, body, expected } = call;
    for (let isFirst = true; ; isFirst = false) {
      const authorization = `Bearer ${await this.#tokens.token(signal)}`;
      const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body ?? '')) } : {};
      const all = { ...headers, ...length, authorization };
      const request = {
        method,
        url: `${this.#endpoint}${path}`,
        headers: all,
        body,
        idleMs: this.#options.idleMs,
      };
      const response = await send(request, signal);
      const status = response.statusCode ?? 0;
      if (expected.includes(status)) return response;
      const text = await textOf(response);
      if (status === 401 && isFirst && this.#tokens.drop()) continue;
      throw refusal(what, status, text);
    }
  }
}

function objectPath(path: string): string {
  const { bucket, key } = bucketPath(path);
  return `/storage/v1/b/${encode(bucket)}/o/${encode(key)}`;
}

function storedBackup(path: string, { size, metadata }: GcsObject): StoredBackup {
  return { path, sizeBytes: Number(size), sha256: metadata?.['sha256'] };
}

/** Returns the error for an answer of Cloud Storage, with its own message. */
function refusal(what: string, status: number, body: string): StoreError {
  const said = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] ?? '';
  const text = `${what}: expected an answer of Cloud Storage, got ${status}${said === '' ? '' : ` ${said}`}`;
  if (/(?:md5|crc32c|hash)/i.test(said) && status === 400)
    return new StoreError('ChecksumMismatch', text, { retryable: true });
  if (status === 404 && /bucket/i.test(said)) return new StoreError('BucketNotFound', text);
  return new StoreError(reasonOfStatus(status), text, { retryable: isRetryableStatus(status) });
}

/** Returns the error of an upload: what is not found then is the bucket, whatever the server calls it. */
function bucketOf(error: unknown): unknown {
  return error instanceof StoreError && error.reason === 'BackupNotFound'
    ? new StoreError('BucketNotFound', error.message)
    : error;
}
