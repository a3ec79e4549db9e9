import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { headerOf, send, textOf } from '../http.ts';
import type { FileToPut } from './backup-store.ts';
import { callStore, type StoreCallOptions } from './store-calls.ts';
import { StoreError } from './store-error.ts';

interface UploadOptions extends StoreCallOptions {
  /** The call in messages. */
  readonly what: string;
  /** The server in messages. */
  readonly host: string;
  readonly signal: AbortSignal;
  /** Opens a session for an object, and returns its address. */
  readonly open: (resource: object, signal: AbortSignal) => Promise<string>;
  /** Returns the error for an answer. */
  readonly refusal: (what: string, status: number, body: string) => StoreError;
}

/**
 * Uploads a file by a resumable session: after a failure it goes on where the server has stopped. The server compares the object with the
 * file's MD5 checksum, the only one of a whole file that it knows and Node can compute.
 *
 * @throws StoreError
 */
export async function uploadToSession(
  { file, sizeBytes, sha256 }: FileToPut,
  { what, host, delays, idleMs, signal, open, refusal }: UploadOptions,
): Promise<void> {
  const resource = { metadata: { sha256 }, md5Hash: await md5Of(file) };
  // The address of a session is a right to write, so that it is in no message.
  let session: string | undefined;
  await callStore(
    async () => {
      let start = 0;
      if (session === undefined) session = await open(resource, signal);
      else {
        const sent = await received(session);
        if (sent === 'all') return;
        start = sent;
      }
      if (!URL.canParse(session))
        throw new StoreError('StoreFailed', `${what}: expected the address of an upload from ${host}`);
      const range = sizeBytes === 0 ? 'bytes */0' : `bytes ${start}-${sizeBytes - 1}/${sizeBytes}`;
      const headers = { 'content-length': String(sizeBytes - start), 'content-range': range };
      const body = sizeBytes === 0 ? Readable.from([]) : createReadStream(file, { start });
      const response = await send({ method: 'PUT', url: session, headers, body, idleMs }, signal);
      const status = response.statusCode ?? 0;
      const text = await textOf(response);
      if (status === 200 || status === 201) return;
      if (status === 308)
        throw new StoreError('StoreFailed', `${what}: the upload broke off`, { retryable: true });
      throw endOfSession(status, text);
    },
    { what, host, delays, signal },
  );

  /** Asks how many bytes of the file the server has. */
  async function received(address: string): Promise<number | 'all'> {
    const headers = { 'content-length': '0', 'content-range': `bytes */${sizeBytes}` };
    const response = await send({ method: 'PUT', url: address, headers, idleMs }, signal);
    const status = response.statusCode ?? 0;
    const text = await textOf(response);
    if (status === 200 || status === 201) return 'all';
    if (status !== 308) throw endOfSession(status, text);
    const last = /^bytes=0-(\d+)$/.exec(headerOf(response, 'range') ?? '')?.[1];
    return last === undefined ? 0 : Number(last) + 1;
  }

  /** Returns the error of an upload. A session that the server has forgotten is replaced by the next attempt. */
  function endOfSession(status: number, text: string): StoreError {
    const error = refusal(what, status, text);
    if (status !== 404 && status !== 410 && error.reason !== 'ChecksumMismatch') return error;
    session = undefined;
    return new StoreError(error.reason === 'ChecksumMismatch' ? error.reason : 'StoreFailed', error.message, {
      retryable: true,
    });
  }
}

async function md5Of(file: string): Promise<string> {
  const hash = createHash('md5');
  await pipeline(createReadStream(file), hash);
  return hash.digest('base64');
}
