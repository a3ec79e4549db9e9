import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WayFailed } from './way-failed.ts';

/** Milliseconds until the headers of an answer must be there. */
const connectTimeout = 8_000;

/** Milliseconds without a byte. */
const idleTimeout = 30_000;

/**
 * Downloads a file.
 * @returns the SHA-512 of what was written, in lower-case hexadecimal
 * @throws WayFailed with the reason if it cannot be had; the signal's reason if that fires
 */
export async function download(url: string, file: string, signal?: AbortSignal): Promise<string> {
  const abort = new AbortController();
  const giveUp = (reason: string) => (): void => abort.abort(new Error(reason));
  const stop = signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]);
  const connecting = setTimeout(giveUp(`no answer within ${connectTimeout / 1_000} s`), connectTimeout);
  const idle = setTimeout(giveUp(`no data for ${idleTimeout / 1_000} s`), connectTimeout + idleTimeout);
  const hash = createHash('sha512');
  try {
    const response = await fetch(url, { signal: stop });
    clearTimeout(connecting);
    if (!response.ok) await response.body?.cancel();
    if (!response.ok || response.body === null) throw new Error(`HTTP status ${response.status}`);
    const source = Readable.fromWeb(response.body);
    const observe = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        idle.refresh();
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(source, observe, createWriteStream(file), { signal: stop });
    return hash.digest('hex');
  } catch (error) {
    signal?.throwIfAborted();
    throw new WayFailed(`${url}: ${reasonOf(abort.signal.aborted ? abort.signal.reason : error)}`);
  } finally {
    clearTimeout(connecting);
    clearTimeout(idle);
  }
}

/** The error of fetch says only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
