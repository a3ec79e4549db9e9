import { OpSdkError } from '../../base/errors/index.ts';
import type { Descriptor, ImageContent } from '../types.ts';
import type { RegistryClient, ClientRequest, ClientResponse } from './client.ts';
import { checkDigestHeader } from './manifest-body.ts';
import { Transient } from './failure.ts';

/**
 * Maximum number of consecutive parts that do not advance the offset of the upload; after that, the upload starts again from the beginning.
 */
const mostStandstills = 3;

/**
 * Uploads a blob in parts. After a failure, or if the registry reports another number of bytes than was sent, continues at the offset that
 * the registry reports.
 * @param chunkSize size of all parts except the last, in bytes
 * @throws SessionLost if the upload must start again; OpSdkError; the signal's reason
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pushing-a-blob-in-chunks
 */
export async function uploadChunks(
  client: RegistryClient,
  session: UploadSession,
  content: ImageContent,
  blob: Descriptor,
  chunkSize: number,
): Promise<void> {
  const reader = new PartReader(content, blob);
  let standstills = 0;
  let reported = client.clock.now();
  let offset = 0;
  try {
    while (offset < blob.size) {
      const next = await client.retry(async (tries) => {
        const from = tries === 0 ? offset : await heldBytes(session, blob);
        if (from >= blob.size) return blob.size;
        return sendPart(session, blob, from, await reader.part(from, chunkSize));
      });
      standstills = next > offset ? 0 : standstills + 1;
      if (standstills > mostStandstills) throw new SessionLost(outOfStep(client, blob));
      offset = next;
      if (client.clock.now() - reported >= client.timing.progressInterval) {
        reported = client.clock.now();
        client.progress(`${shortDigest(blob.digest)} ${formatSize(offset)} of ${formatSize(blob.size)}`);
      }
    }
    await reader.end();
  } finally {
    await reader.close();
  }
  const response = await session.finish(blob.digest, { expect: [200, 201, 204] });
  response.discard();
  checkDigestHeader(response, blob.digest, 'the uploaded blob', client);
}

/**
 * Sends a part of a blob.
 * @returns the number of bytes that the registry has afterwards
 */
async function sendPart(
  session: UploadSession,
  blob: Descriptor,
  from: number,
  part: Buffer,
): Promise<number> {
  const end = from + part.length;
  const { status, held } = await session.step({
    method: 'PATCH',
    // In the Content-Range header of registries, both ends of the range are inclusive, and no unit precedes the range.
    headers: { 'content-range': `${from}-${end - 1}` },
    body: { size: part.length, read: () => once(part) },
    expect: [202, 204, 416],
  });
  if (status === 416) return heldBytes(session, blob);
  // Registries report `0-0` both for an empty upload and for one byte. After a longer first part, `0-0` is ignored and the part counts as
  // received.
  return held === undefined || (held === 1 && end > 1 && from === 0) ? end : Math.min(held, blob.size);
}

async function heldBytes(session: UploadSession, blob: Descriptor): Promise<number> {
  const { held = 0 } = await session.step({ method: 'GET', expect: [200, 202, 204] });
  return held <= 1 ? 0 : Math.min(held, blob.size);
}

/** Reads parts of a blob at any offset. Bytes that were read are not kept, so earlier parts are read from the image again. */
class PartReader {
  readonly #content: ImageContent;
  readonly #blob: Descriptor;
  #iterator: AsyncIterator<Uint8Array> | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #position = 0;

  constructor(content: ImageContent, blob: Descriptor) {
    this.#content = content;
    this.#blob = blob;
  }

  async part(from: number, size: number): Promise<Buffer> {
    if (this.#iterator === undefined || from < this.#position) {
      await this.close();
      this.#iterator = this.#content.read(this.#blob)[Symbol.asyncIterator]();
      this.#rest = Buffer.alloc(0);
      this.#position = 0;
    }
    while (this.#position < from) {
      const skipped = await this.#take(Math.min(from - this.#position, 1 << 20));
      if (skipped.length === 0) break;
    }
    return this.#take(size);
  }

  /** Reads to the end of the blob, because the image verifies its bytes only there. */
  async end(): Promise<void> {
    while ((await this.#iterator?.next())?.done === false);
  }

  async close(): Promise<void> {
    await this.#iterator?.return?.();
    this.#iterator = undefined;
  }

  async #take(size: number): Promise<Buffer> {
    const parts = [this.#rest];
    let length = this.#rest.length;
    while (length < size) {
      const next = await this.#iterator?.next();
      if (next === undefined || next.done === true) break;
      parts.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length));
      length += next.value.length;
    }
    const all = Buffer.concat(parts);
    this.#rest = all.subarray(size);
    const taken = all.subarray(0, size);
    this.#position += taken.length;
    return taken;
  }
}

function outOfStep({ purpose }: RegistryClient, { digest }: Descriptor): OpSdkError {
  return new OpSdkError({
    code: 'oci/registry-error',
    message: `cannot ${purpose.doing}: ${purpose.registry} refuses a part of ${digest}`,
    where: { object: purpose.registry },
    fix: ['try again later'],
  });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Thrown if the upload must start again, because it no longer exists or the offset that the registry reports does not advance. */
class SessionLost extends Error {
  readonly failure: OpSdkError;

  constructor(failure: OpSdkError) {
    super(failure.message);
    this.name = 'SessionLost';
    this.failure = failure;
  }
}

/** An upload in progress. Any response may change its URL, so only the latest Location is valid. */
export class UploadSession {
  /** Minimum part size in bytes that the registry states; undefined if it states none. */
  readonly smallestChunk: number | undefined;
  readonly #client: RegistryClient;
  readonly #scopes: readonly string[];
  #location: URL;

  /** @param started the response with status 202 that began the upload */
  constructor(client: RegistryClient, scopes: readonly string[], started: ClientResponse) {
    this.#client = client;
    this.#scopes = scopes;
    this.#location = locationOf(started, client);
    const smallest = Number(started.header('oci-chunk-min-length') ?? NaN);
    this.smallestChunk = Number.isSafeInteger(smallest) && smallest > 0 ? smallest : undefined;
  }

  /**
   * Sends a part of the blob, or requests the state of the upload (GET).
   * @returns the status of the response, and the number of bytes that the registry has if it reports one
   */
  async step(request: Pick<ClientRequest, 'method' | 'headers' | 'body' | 'expect'>): Promise<{
    readonly status: number;
    readonly held: number | undefined;
  }> {
    const response = await this.#send(request, this.#location);
    response.discard();
    if (response.header('location') !== undefined) this.#location = locationOf(response, this.#client);
    const end = /^(?:bytes[= ])?0-(\d+)$/.exec(response.header('range')?.trim() ?? '')?.[1];
    return { status: response.status, held: end === undefined ? undefined : Number(end) + 1 };
  }

  /** Sends the last part of the blob, if any, and completes the upload. On completion, the registry verifies the digest of the blob. */
  async finish(
    digest: string,
    request: Pick<ClientRequest, 'headers' | 'body' | 'expect'>,
  ): Promise<ClientResponse> {
    const url = new URL(this.#location);
    // The query belongs to the registry and may be signed, so it is kept unchanged.
    url.search = `${url.search === '' ? '?' : `${url.search}&`}digest=${encodeURIComponent(digest)}`;
    return this.#send({ ...request, method: 'PUT' }, url);
  }

  /** Cancels the upload at the registry. Never throws, because this is only a courtesy: registries also clean up by themselves. */
  async abandon(): Promise<void> {
    try {
      const response = await this.#client.once({
        method: 'DELETE',
        url: this.#location,
        scopes: this.#scopes,
        expect: [200, 202, 204, 400, 404, 405],
        what: 'the end of an upload',
        // The command's own signal may be aborted already, so it cannot be used here.
        signal: AbortSignal.timeout(5_000),
      });
      response.discard();
    } catch {
      // What matters is why the upload ended.
    }
  }

  async #send(
    request: Pick<ClientRequest, 'method' | 'headers' | 'body' | 'expect'>,
    url: URL,
  ): Promise<ClientResponse> {
    try {
      return await this.#client.once({
        ...request,
        url,
        scopes: this.#scopes,
        what: request.method === 'GET' ? 'a question about an upload' : 'an upload',
        headers: { 'content-type': 'application/octet-stream', ...request.headers },
      });
    } catch (error) {
      // The upload does not exist if the registry was restarted, or if a load balancer sent the request to another instance. The upload
      // must then start again.
      if (error instanceof OpSdkError && error.code === 'oci/not-found') throw new SessionLost(error);
      throw error;
    }
  }
}

/** Runs an upload. Starts it again after a temporary error or a lost session, and cancels each failed upload. */
export async function withSession<T>(
  client: RegistryClient,
  start: () => Promise<UploadSession>,
  upload: (session: UploadSession) => Promise<T>,
): Promise<T> {
  return client.retry(async () => {
    const session = await start();
    try {
      return await upload(session);
    } catch (error) {
      await session.abandon();
      throw error instanceof SessionLost ? new Transient(error.failure) : error;
    }
  });
}

function locationOf(response: ClientResponse, { purpose }: RegistryClient): URL {
  const location = response.header('location');
  if (location !== undefined && URL.canParse(location, response.url.href))
    return new URL(location, response.url);
  throw new OpSdkError({
    code: 'oci/registry-error',
    message: `cannot ${purpose.doing}: ${purpose.registry} begins an upload but does not name its URL (no Location header)`,
    where: { object: purpose.registry },
    fix: ['check that a registry listens there'],
  });
}

/** Formats a number of bytes: `532 B`, `1.4 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
}

/** Shortens a digest as container tools do: `sha256:0123456789ab`. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 'sha256:'.length + 12);
}
