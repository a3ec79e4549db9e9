import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { download } from '../../sdk/net/index.ts';
import { WayFailed } from './way-failed.ts';

/** Milliseconds: until a connection is there, and without a byte. */
const timeouts = { connectTimeout: 8_000, idleTimeout: 30_000 };

/**
 * Downloads a file, through the proxies of the environment.
 * @returns the SHA-512 of what was written, in lower-case hexadecimal
 * @throws WayFailed with the reason if that fails; the signal's reason if that fires
 */
export async function downloadFile(url: string, file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha512');
  const stop = signal ?? new AbortController().signal;
  try {
    const { env } = process;
    const chunks = download(new URL(url), { env, signal: stop, userAgent: 'op-sdk', ...timeouts });
    const observe = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(observe, createWriteStream(file), { signal: stop });
    return hash.digest('hex');
  } catch (error) {
    stop.throwIfAborted();
    throw new WayFailed(`${url}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
