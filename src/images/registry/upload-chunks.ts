import { OpSdkError } from '../../base/errors/index.ts';
import type { Descriptor, ImageContent } from '../types.ts';
import type { RegistryClient } from './client.ts';
import { checkDigestHeader } from './digest-header.ts';
import { formatSize, shortDigest } from './sizes.ts';
import { SessionLost, type UploadSession } from './upload-session.ts';

/** So often the registry may want to go on from the same place before the upload starts again. */
const mostStandstills = 3;

/**
 * Sends a blob in parts. After a failure, and where the registry has another number of bytes than was sent, it goes on from what
 * the registry has.
 * @param chunkSize in bytes; all parts but the last have it
 * @throws SessionLost when the upload must start again; OpSdkError; the signal's reason
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

/** @returns how many bytes the registry has then */
async function sendPart(
  session: UploadSession,
  blob: Descriptor,
  from: number,
  part: Buffer,
): Promise<number> {
  const end = from + part.length;
  const { status, held } = await session.step({
    method: 'PATCH',
    // Both ends count, and no unit precedes them.
    headers: { 'content-range': `${from}-${end - 1}` },
    body: { size: part.length, read: () => once(part) },
    expect: [202, 204, 416],
  });
  if (status === 416) return heldBytes(session, blob);
  // Of nothing and of one byte registries say the same: 0-0.
  return held === undefined || (held === 1 && end > 1 && from === 0) ? end : Math.min(held, blob.size);
}

async function heldBytes(session: UploadSession, blob: Descriptor): Promise<number> {
  const { held = 0 } = await session.step({ method: 'GET', expect: [200, 202, 204] });
  return held <= 1 ? 0 : Math.min(held, blob.size);
}

/** Reads a blob in parts from any place; what was read is read again from the image, never kept. */
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

  /** Reads to the end: only there the image knows whether its bytes were right. */
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
