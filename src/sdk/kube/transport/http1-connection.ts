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

/** One request and what becomes of its answer; exactly one of `end` and `fail` is called, once. */
export interface Exchange extends ResponseSink {
  readonly request: TransportRequest;
  end(): void;
  fail(error: Error): void;
}

/** Whoever a connection belongs to. */
interface ConnectionOwner {
  readonly server: URL;
  /** The answer is complete: the connection may be given to another request. */
  released(connection: Http1Connection): void;
  /** It cannot be used any more. */
  gone(connection: Http1Connection): void;
  /** A request got no byte within its time. */
  silent(connection: Http1Connection): void;
}

/** One HTTP/1.1 connection: one exchange at a time, one timer and one abort listener for all of them. */
export class Http1Connection implements Expiring {
  dueAt = Infinity;
  readonly material: TlsMaterial | undefined;
  /** Time of performance.now() since which no exchange runs. */
  idleSince = 0;
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #reader = new ResponseReader();
  #exchange: Exchange | undefined;
  /** True once the current exchange has received a byte; `wasAnswered` once any exchange has. */
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

  /** False once the server has closed it, or something has come that no request asked for. */
  get isUsable(): boolean {
    return !this.#ended && !this.#closed && !this.#socket.destroyed;
  }

  /** @param dueAt of performance.now(): then the exchange ends with a timeout */
  run(exchange: Exchange, bytes: RequestBytes, dueAt: number): void {
    this.#exchange = exchange;
    this.#isAnswered = false;
    this.dueAt = dueAt;
    this.#listenTo(exchange.request.signal);
    this.#reader.begin(exchange.request.method, exchange);
    this.#socket.ref();
    this.#socket.write(bytes.data, bytes.encoding);
  }

  /** Milliseconds of performance.now() after which it is closed. */
  rest(now: number, dueAt: number): void {
    this.idleSince = now;
    this.dueAt = dueAt;
    // An idle connection must not keep a process alive that has nothing else to do.
    this.#socket.unref();
  }

  expire(): void {
    const exchange = this.#exchange;
    if (exchange === undefined) return this.destroy();
    if (!this.#isAnswered) this.#owner.silent(this);
    this.fail(timeoutError(exchange.request));
  }

  /** Ends the exchange, and with it the connection. */
  fail(error: Error): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.destroy();
    exchange?.fail(error);
  }

  /** Ends the connection; an exchange that runs fails as for a client that is closed. */
  destroy(): void {
    this.#listenTo(undefined);
    this.#socket.destroy();
    this.#owner.gone(this);
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.fail(closedError({ neverSent: false }));
  }

  /** Settles when nothing of it is left. */
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
    // Bytes that no request asked for would be taken for the answer to the next one.
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
    // A server may answer before it has got the whole request.
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
    // TLS 1.3 refuses a client certificate after the handshake, in place of the first answer.
    if (!this.#wasAnswered && nodeErrorCode(cause).startsWith('ERR_SSL'))
      return connectError(this.#owner.server.origin, cause);
    const detail = cause === undefined ? 'the server closed it' : nodeMessageOf(cause);
    return new TransportError(
      'kube/connection-lost',
      `the connection broke during ${describeRequest(request)}: ${detail}`,
      // A write that the kernel refuses was not sent as a whole, and no server acts on a part of a request.
      { cause, neverSent: !this.#isAnswered && isRefusedWrite(cause) },
    );
  }

  /** Requests of one controller mostly share a signal: the listener stays until another one comes. */
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
