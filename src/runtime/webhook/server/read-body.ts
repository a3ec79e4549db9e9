import type { IncomingMessage } from 'node:http';

/** Two objects of the greatest size, and what is around them. Source: controller-runtime `pkg/webhook/admission`. */
const LIMIT_BYTES = 7 * 1024 * 1024;

/** How long a body may take, milliseconds: longer than any webhook may. */
const TIMEOUT_MS = 35_000;

/** The text of a body, or why there is none; undefined if whoever sent it is gone. */
export type Body =
  { readonly text: string } | { readonly code: 400 | 413; readonly message: string } | undefined;

/** Reads the body of a request up to the limit. What comes after that is dropped, for a while: the client may still be writing when it is answered. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const tooLarge = { code: 413, message: `the body is larger than ${LIMIT_BYTES} bytes` } as const;
  const timer = setTimeout(() => request.destroy(), TIMEOUT_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  if (Number(request.headers['content-length'] ?? 0) > LIMIT_BYTES) {
    dropRest(request);
    return tooLarge;
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= LIMIT_BYTES) {
        chunks.push(chunk);
        return;
      }
      request.off('data', take);
      dropRest(request);
      resolve(tooLarge);
    };
    request.on('data', take);
    request.once('end', () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('utf8');
      resolve(text === '' ? { code: 400, message: 'the body is empty' } : { text });
    });
    request.once('error', () => resolve(undefined));
    request.once('close', () => resolve(undefined));
  });
}

function dropRest(request: IncomingMessage): void {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > LIMIT_BYTES) request.destroy();
  });
  request.on('error', () => undefined);
}
