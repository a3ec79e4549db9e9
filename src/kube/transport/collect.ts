import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { TransportError } from './transport-error.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

const unzip = promisify(gunzip);

/** A whole response from a streaming one: reads to the end within the request's timeout, and decompresses. */
export async function collect(
  stream: Transport['stream'],
  request: TransportRequest,
): Promise<TransportResponse> {
  const deadline = request.timeout === undefined ? undefined : performance.now() + request.timeout;
  const response = await stream(request);
  const chunks: Buffer[] = [];
  let late = false;
  const timer =
    deadline === undefined
      ? undefined
      : setTimeout(
          () => {
            late = true;
            response.cancel();
          },
          Math.max(1, deadline - performance.now()),
        );
  try {
    await response.read((chunk) => chunks.push(chunk));
  } finally {
    clearTimeout(timer);
  }
  if (late) throw timeoutError(request);
  const body = Buffer.concat(chunks);
  const { status, headers } = response;
  if (headers['content-encoding'] !== 'gzip') return { status, headers, body };
  try {
    return { status, headers, body: await unzip(body) };
  } catch (error) {
    throw new TransportError('kube/bad-response', `the answer to ${describe(request)} is not valid gzip`, {
      cause: error,
    });
  }
}

export function describe(request: TransportRequest): string {
  return `${request.method} ${request.path}`;
}

export function timeoutError(request: TransportRequest): TransportError {
  const seconds = (request.timeout ?? 0) / 1000;
  return new TransportError('kube/timeout', `no answer to ${describe(request)} within ${seconds} s`);
}
