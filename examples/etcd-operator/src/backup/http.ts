import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';

/** Certificates for HTTPS, in PEM. */
export interface TlsFiles {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export interface HttpCall {
  readonly method: string;
  readonly url: string | URL;
  readonly headers?: OutgoingHttpHeaders | undefined;
  /** A stream needs the header `content-length`. It is destroyed when the call fails. */
  readonly body?: string | Readable | undefined;
  readonly tls?: TlsFiles | undefined;
  /** Milliseconds without a byte in either direction after which the call fails. Default: 60,000. */
  readonly idleMs?: number | undefined;
}

/** Milliseconds to wait for the answer "100 Continue". */
const continueMs = 1000;

/** Sends a request and resolves with the answer's head; its body must be read or destroyed. Never follows redirects. */
export function send(call: HttpCall, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, headers = {}, body, tls = {}, idleMs = 60_000 } = call;
  const url = new URL(call.url);
  return new Promise((resolve, reject) => {
    // A server that refuses a request says so before it is sent the body; otherwise it might close the connection in the middle of it.
    const expect = typeof body === 'object' ? { expect: '100-continue' } : {};
    const options = {
      method,
      headers: { ...headers, ...expect },
      signal,
      ...(url.protocol === 'https:' ? tls : {}),
    };
    const request = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
    const fail = (error: Error): void => {
      if (typeof body === 'object') body.destroy();
      reject(error);
    };
    request.setTimeout(idleMs, () =>
      request.destroy(new Error(`no data for ${idleMs / 1000} seconds from ${url.host}`)),
    );
    request.on('error', fail);
    request.on('response', resolve);
    if (typeof body !== 'object') {
      request.end(body);
      return;
    }
    body.on('error', (error) => request.destroy(error));
    const upload = (): void => {
      clearTimeout(timer);
      if (!request.destroyed && !body.destroyed) body.pipe(request);
    };
    // Servers that do not know the header wait for the body.
    const timer = setTimeout(upload, continueMs);
    request.once('continue', upload);
    request.once('close', () => clearTimeout(timer));
    request.once('response', ({ statusCode = 0 }: IncomingMessage) => {
      if (statusCode < 300) return;
      clearTimeout(timer);
      body.destroy();
    });
  });
}

/** Reads an answer whole. @param limit bytes after which the rest is left out */
export async function textOf(response: IncomingMessage, limit = 1_000_000): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
}

/** Returns the first value of a header. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
