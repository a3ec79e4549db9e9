import { constants } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { giveUpOn } from '../../net/index.ts';
import { TransportError } from './transport-error.ts';
import type { Transport, TransportRequest, TransportResponse, TransportStream } from './transport.ts';

const unzip = promisify(gunzip);

/** Bytes of an answer that is read as a whole; what is longer fits into no string. */
export const maxBody = constants.MAX_STRING_LENGTH;

/** A whole response from a streaming one: reads to the end within the request's timeout, and decompresses. */
export async function collectResponse(
  stream: Transport['stream'],
  request: TransportRequest,
): Promise<TransportResponse> {
  const deadline = request.timeout === undefined ? undefined : performance.now() + request.timeout;
  const response = await stream(request);
  const { body, late } = await readAll(response, timeLeft(deadline));
  if (late) throw timeoutError(request);
  return decompressed(request, { status: response.status, headers: response.headers, body });
}

/** @throws TransportError `kube/bad-response` for what is not gzip although it says so, or too long for a string */
export async function decompressed(
  request: TransportRequest,
  response: TransportResponse,
): Promise<TransportResponse> {
  const { status, headers, body } = response;
  if (headers['content-encoding'] !== 'gzip') return response;
  try {
    return { status, headers, body: await unzip(body, { maxOutputLength: maxBody }) };
  } catch (error) {
    throw new TransportError(
      'kube/bad-response',
      `the answer to ${describeRequest(request)} is not valid gzip`,
      {
        cause: error,
      },
    );
  }
}

/** The body as far as it comes within `timeout` milliseconds; `late` if there was more. */
export async function readAll(
  response: TransportStream,
  timeout: number | undefined,
): Promise<{ readonly body: Buffer; readonly late: boolean }> {
  const chunks: Buffer[] = [];
  let late = false;
  const cancelTimer = giveUpOn(
    undefined,
    timeout,
    () => undefined,
    () => {
      late = true;
      response.cancel();
    },
  );
  try {
    await response.read((chunk) => chunks.push(chunk));
  } finally {
    cancelTimer();
  }
  return { body: Buffer.concat(chunks), late };
}

/** Milliseconds until `deadline`, at least one: Node takes zero for no timeout in places. */
export function timeLeft(deadline: number | undefined): number | undefined {
  return deadline === undefined ? undefined : Math.max(1, deadline - performance.now());
}

export function describeRequest(request: TransportRequest): string {
  return `${request.method} ${request.path}`;
}

export function timeoutError(request: TransportRequest, neverSent = false): TransportError {
  const seconds = (request.timeout ?? 0) / 1000;
  return new TransportError('kube/timeout', `no answer to ${describeRequest(request)} within ${seconds} s`, {
    neverSent,
  });
}
