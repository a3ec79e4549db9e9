import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { toError } from '../../net/index.ts';
import {
  closedError,
  connectError,
  nodeErrorCode,
  nodeMessageOf,
  TransportError,
  type Expiring,
  describeRequest,
  timeoutError,
} from './transport-error.ts';
import type { Dialled } from './dial.ts';
import type { RequestBytes } from './http1-request.ts';
import { InvalidResponseError, ResponseReader, type ResponseSink } from './http1-response.ts';
import type { TlsMaterial, TransportRequest } from './transport.ts';

/** One request and the receiver of its response. Each exchange ends with exactly one call of either `end` or `fail`. */
export interface Exchange extends ResponseSink {
  readonly request: TransportRequest;
  end(): void;
  fail(error: Error): void;
}

/** Owner of an HTTP/1.1 connection, informed when the connection is free again, is unusable or does not respond. */
interface ConnectionOwner {
  readonly server: URL;
  /** Called when the response is complete, so that the connection may serve another request. */
  released(connection: Http1Connection): void;
  /** Called when the connection can no longer be used. */
  gone(connection: Http1Connection): void;
  /** Called when a request timed out and not a single byte of the response had arrived. */
  silent(connection: Http1Connection): void;
}

/** One HTTP/1.1 connection. It runs one exchange at a time, and uses one timer and one abort listener for all exchanges. */
export class Http1Connection implements Expiring {
  dueAt = Infinity;
  readonly material: TlsMaterial | undefined;
  /** Time of performance.now() at which the connection became idle. */
  idleSince = 0;
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #reader = new ResponseReader();
  #exchange: Exchange | undefined;
  /** True once the current exchange has received a byte. `wasAnswered` is true once any exchange on this connection has received a byte. */
  #isAnswered = false;
  #wasAnswered = false;
  #ended = false;
  #closed = false;
  #error: unknown;
  #signal: AbortSignal | undefined;

  constructor({ socket, material }: Dialled, owner: ConnectionOwner) {
    this.#socket = socket;
    this.material = material;
    this.#owner = owner;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => {
      this.#error ??= error;
    });
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#close());
  }

  /**
   * True while the connection can be used. False once the server has closed the connection, or has sent bytes that belong to no request.
   */
  get isUsable(): boolean {
    return !this.#ended && !this.#closed && !this.#socket.destroyed;
  }

  /** Runs an exchange on the connection. @param dueAt time of performance.now() at which the exchange ends with a timeout */
  run(exchange: Exchange, bytes: RequestBytes, dueAt: number): void {
    this.#exchange = exchange;
    this.#isAnswered = false;
    this.dueAt = dueAt;
    this.#listenTo(exchange.request.signal);
    this.#reader.begin(exchange.request.method, exchange);
    this.#socket.ref();
    this.#socket.write(bytes.data, bytes.encoding);
  }

  /** Marks the connection as idle since `now`. The connection is closed at `dueAt`. Both times are milliseconds of performance.now(). */
  rest(now: number, dueAt: number): void {
    this.idleSince = now;
    this.dueAt = dueAt;
    // An idle connection must not keep the process alive.
    this.#socket.unref();
  }

  expire(): void {
    const exchange = this.#exchange;
    if (exchange === undefined) return this.destroy();
    if (!this.#isAnswered) this.#owner.silent(this);
    this.fail(timeoutError(exchange.request));
  }

  /** Fails the running exchange with the error and closes the connection. */
  fail(error: Error): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.destroy();
    exchange?.fail(error);
  }

  /** Closes the connection; a running exchange fails with the error of a closed client. */
  destroy(): void {
    this.#listenTo(undefined);
    this.#socket.destroy();
    this.#owner.gone(this);
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.fail(closedError({ neverSent: false }));
  }

  /** Resolves when the socket is closed. */
  get closed(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => this.#socket.once('close', () => resolve()));
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  #read(chunk: Buffer): void {
    const exchange = this.#exchange;
    // Closes the connection, because bytes without a request would be mistaken for the response to the next request.
    if (exchange === undefined) return this.destroy();
    this.#isAnswered = true;
    this.#wasAnswered = true;
    let excess: number;
    try {
      excess = this.#reader.push(chunk);
    } catch (error) {
      if (this.#exchange === exchange) this.fail(invalidAnswer(exchange.request, error));
      return;
    }
    if (this.#exchange === exchange && this.#reader.isDone) this.#complete(exchange, excess === 0);
  }

  #complete(exchange: Exchange, isClean: boolean): void {
    this.#exchange = undefined;
    this.dueAt = Infinity;
    // The connection is reused only if the request was sent completely, because a server may respond before it has received the complete
    // request.
    const mayGoOn = isClean && this.#reader.keepsAlive && this.isUsable && this.#socket.writableLength === 0;
    if (mayGoOn) {
      this.#socket.resume();
      this.#owner.released(this);
    } else this.destroy();
    exchange.end();
  }

  #end(): void {
    this.#ended = true;
    const exchange = this.#exchange;
    if (exchange === undefined) this.destroy();
    else if (this.#reader.end()) this.#complete(exchange, true);
    else this.fail(this.#lost(exchange.request));
  }

  #close(): void {
    this.#closed = true;
    const exchange = this.#exchange;
    if (exchange === undefined) this.destroy();
    else this.fail(this.#lost(exchange.request));
  }

  #lost(request: TransportRequest): TransportError {
    const cause = this.#error;
    // With TLS 1.3, a server refuses a client certificate after the handshake, so the error arrives instead of the first response.
    if (!this.#wasAnswered && nodeErrorCode(cause).startsWith('ERR_SSL'))
      return connectError(this.#owner.server.origin, cause);
    const detail = cause === undefined ? 'the server closed it' : nodeMessageOf(cause);
    return new TransportError(
      'kube/connection-lost',
      `the connection broke during ${describeRequest(request)}: ${detail}`,
      // If the kernel refuses a write, the request was not sent completely, and no server processes an incomplete request.
      { cause, neverSent: !this.#isAnswered && isRefusedWrite(cause) },
    );
  }

  /**
   * Listens for an abort of the signal. The listener is kept until a request with another signal starts, because requests of one controller
   * usually share a signal.
   */
  #listenTo(signal: AbortSignal | undefined): void {
    if (signal === this.#signal) return;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#signal = signal;
    if (signal === undefined) return;
    setMaxListeners(0, signal);
    signal.addEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => {
    if (this.#exchange !== undefined) this.fail(toError(this.#signal?.reason));
  };
}

function isRefusedWrite(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'write';
}

function invalidAnswer(request: TransportRequest, error: unknown): Error {
  if (!(error instanceof InvalidResponseError)) return toError(error);
  return new TransportError(
    'kube/bad-response',
    `the answer to ${describeRequest(request)} is not valid HTTP/1.1: ${error.message}`,
    { cause: error },
  );
}
