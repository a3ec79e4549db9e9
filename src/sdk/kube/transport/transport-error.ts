import { constants } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { OpSdkError, type ErrorCode } from '../../../base/errors/index.ts';
import { secrets, giveUpOn } from '../../net/index.ts';
import type { Transport, TransportRequest, TransportResponse, TransportStream } from './transport.ts';

export type TransportErrorCode = Extract<
  ErrorCode,
  | 'kube/unreachable'
  | 'kube/tls'
  | 'kube/timeout'
  | 'kube/connection-lost'
  | 'kube/connection-closed'
  | 'kube/bad-response'
>;

interface TransportErrorOptions {
  readonly cause?: unknown;
  /** True if the server cannot have started to process the request, so that a request with any method may be repeated. */
  readonly neverSent?: boolean;
  readonly fix?: readonly string[];
}

/** Error for a request without a response: the connection could not be opened, the connection broke, or the request timed out. */
export class TransportError extends OpSdkError {
  /** True if the server cannot have started to process the request, so that a request with any method may be repeated. */
  readonly neverSent: boolean;

  constructor(code: TransportErrorCode, message: string, options: TransportErrorOptions = {}) {
    const finding = {
      code,
      message: secrets.redact(message),
      ...(options.fix === undefined ? {} : { fix: options.fix }),
    };
    super(finding, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TransportError';
    this.neverSent = options.neverSent ?? false;
  }
}

/** Creates the error for requests after `close`, and for connections that were being opened when `close` was called. */
export function closedError({ neverSent = true } = {}): TransportError {
  return new TransportError('kube/connection-closed', 'the client has been closed', { neverSent });
}

/** Returns the `code` of a Node error, such as ECONNREFUSED; `''` if the error has no code. */
export function nodeErrorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

export function nodeMessageOf(error: unknown): string {
  return error instanceof Error ? error.message || nodeErrorCode(error) || error.name : String(error);
}

const certificateErrors = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'HOSTNAME_MISMATCH',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Wraps an error that occurred while a connection was being opened. The request was certainly not sent. */
export function connectError(server: string, error: unknown): TransportError {
  const code = nodeErrorCode(error);
  if (
    certificateErrors.has(code) ||
    code.startsWith('ERR_TLS') ||
    code.startsWith('ERR_SSL') ||
    code.startsWith('ERR_OSSL')
  ) {
    return new TransportError('kube/tls', `no secure connection to ${server}: ${nodeMessageOf(error)}`, {
      cause: error,
      neverSent: true,
      fix: [
        'check certificate-authority(-data), tls-server-name and the client certificate of the kubeconfig',
      ],
    });
  }
  return new TransportError('kube/unreachable', `cannot reach ${server}: ${connectMessage(error)}`, {
    cause: error,
    neverSent: true,
    fix: ['check that the API server runs and that the address in the kubeconfig is right'],
  });
}

// Node tries IPv4 and IPv6 and wraps the two failures in an AggregateError, whose own message is empty, so the inner messages are used.
function connectMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map((inner) => nodeMessageOf(inner)).join(', ');
  return nodeMessageOf(error);
}

/** An object that expires at a time of performance.now(). The time may be changed. */
export interface Expiring {
  /** Time of performance.now() at which the object expires; Infinity if it never expires. */
  readonly dueAt: number;
  expire(): void;
}

/** Longest delay that setTimeout supports, in milliseconds. */
const longest = 2 ** 31 - 1;

/**
 * One timer for many deadlines. The deadlines change with each request, but the timer is set again only for an earlier time. The timer does
 * not keep the process alive; the sockets of the members do.
 */
export class Deadlines {
  readonly #members = new Set<Expiring>();
  #timer: NodeJS.Timeout | undefined;
  #firesAt = Infinity;

  add(member: Expiring): void {
    this.#members.add(member);
    this.moved(member);
  }

  delete(member: Expiring): void {
    this.#members.delete(member);
    if (this.#members.size === 0) this.#stop();
  }

  /**
   * Sets the timer to an earlier time if needed. Called when a member's deadline has changed. A deadline that has become later is detected
   * when the timer fires.
   */
  moved({ dueAt }: Expiring): void {
    if (dueAt >= this.#firesAt) return;
    this.#stop();
    this.#firesAt = dueAt;
    const wait = Math.min(longest, Math.max(0, Math.ceil(dueAt - performance.now())));
    this.#timer = setTimeout(() => this.#fire(), wait).unref();
  }

  #fire(): void {
    this.#stop();
    const now = performance.now();
    for (const member of [...this.#members]) if (member.dueAt <= now) member.expire();
    for (const member of this.#members) this.moved(member);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#firesAt = Infinity;
  }
}

const unzip = promisify(gunzip);

/** Maximum size in bytes of a response that is read completely. A longer response does not fit into a string. */
export const maxBody = constants.MAX_STRING_LENGTH;

/** Collects a streaming response. Reads to the end of the response within the request's timeout, and decompresses the body. */
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

/**
 * Decompresses the body of a response. @throws TransportError `kube/bad-response` if the body is declared as gzip but is not, or is too
 * long for a string
 */
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

/** Reads the body for at most `timeout` milliseconds. In the result, `late` is true if the body was not complete by then. */
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

/** Returns the milliseconds until `deadline`. The minimum is 1, because some Node APIs treat zero as no timeout. */
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
