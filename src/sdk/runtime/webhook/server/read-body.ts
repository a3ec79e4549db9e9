import type { IncomingMessage, ServerResponse } from 'node:http';

/** Two objects of the greatest size, and what is around them. Source: controller-runtime `pkg/webhook/admission`. */
const LIMIT_BYTES = 7 * 1024 * 1024;

/** Limit for receiving a body, milliseconds: the API server sends it at once, and a slow one holds memory. */
const TIMEOUT_MS = 10_000;

/** The memory for all bodies of a server: a quarter of what the scaffold gives to an operator. */
const BUDGET_BYTES = 64 * 1024 * 1024;

/** The text of a body, or why there is none; undefined if whoever sent it is gone. */
export type Body =
  { readonly text: string } | { readonly code: 400 | 413 | 429; readonly message: string } | undefined;

/** Memory that all bodies of a server share. Counts bytes that have come, so that an announced length costs nobody anything. */
export class BodyBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limit = BUDGET_BYTES) {
    this.#limit = limit;
  }

  /** Bytes of requests that are not answered yet. */
  get used(): number {
    return this.#used;
  }

  /** @returns whether there is room for them; if not, nothing is taken */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit) return false;
    this.#used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#used -= bytes;
  }
}

/**
 * Reads the body of a request up to the limit. What comes after that is dropped, for a while: the client may still be writing when it is
 * answered. The memory is given back to the budget when the request is answered, or its connection is closed.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  budget: BodyBudget,
  timeout = TIMEOUT_MS,
): Promise<Body> {
  const tooLarge = { code: 413, message: `the body is larger than ${LIMIT_BYTES} bytes` } as const;
  const timer = setTimeout(() => request.destroy(), timeout);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  if (Number(request.headers['content-length'] ?? 0) > LIMIT_BYTES) {
    dropRest(request);
    return tooLarge;
  }
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const release = (): void => {
      chunks = [];
      budget.release(size);
      size = 0;
    };
    const refuse = (body: Body): void => {
      request.off('data', take);
      release();
      dropRest(request);
      resolve(body);
    };
    const take = (chunk: Buffer): void => {
      if (size + chunk.length > LIMIT_BYTES) refuse(tooLarge);
      else if (response.destroyed || !budget.take(chunk.length))
        refuse({ code: 429, message: 'too many bodies at once' });
      else {
        size += chunk.length;
        chunks.push(chunk);
      }
    };
    request.on('data', take);
    response.once('close', release);
    request.once('end', () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('utf8');
      chunks = [];
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
