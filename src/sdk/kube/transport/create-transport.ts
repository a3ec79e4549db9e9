import { toError } from '../../net/index.ts';
import { NoHttp2Error } from './http2-session.ts';
import { Http2Transport, TlsSource } from './http2-transport.ts';
import {
  nodeErrorCode,
  TransportError,
  closedError,
  decompressed,
  timeoutError,
  maxBody,
  describeRequest,
} from './transport-error.ts';
import {
  defaultTransportSettings,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportSettings,
  type TransportStream,
  type TransportTarget,
  type ResponseHead,
} from './transport.ts';
import type { Exchange, Http1Connection } from './http1-connection.ts';
import { Http1Pool } from './http1-pool.ts';
import { RequestWriter } from './http1-request.ts';

/**
 * Protocol for requests. `auto`: on an `https:` server, single requests use HTTP/1.1, and streams use HTTP/2 if the server offers it by
 * ALPN; on an `http:` server, all requests use HTTP/1.1. `http2` on an `http:` server uses HTTP/2 without negotiation (prior knowledge).
 */
export type Protocol = 'auto' | 'http1' | 'http2';

/** Creates a transport for one server. The transport connects at the first request. */
export function createTransport(
  target: TransportTarget,
  protocol: Protocol = 'auto',
  settings: Partial<TransportSettings> = {},
): Transport {
  const complete = { ...defaultTransportSettings, ...settings };
  switch (protocol) {
    case 'http1':
      return new Http1Transport(target, complete);
    case 'http2':
      return new Http2Transport(target, complete);
    case 'auto':
      return target.server.protocol === 'https:'
        ? new NegotiatedTransport(target, complete)
        : new Http1Transport(target, complete);
  }
}

/**
 * Sends single requests over HTTP/1.1 and streams over HTTP/2. If the server does not support one of these protocols, sends all requests
 * over the other protocol.
 */
class NegotiatedTransport implements Transport {
  readonly #tls: TlsSource;
  readonly #http1: Http1Transport;
  readonly #http2: Http2Transport;
  /** Protocol that the server has turned out not to support; undefined until then. */
  #missing: 'http1' | 'http2' | undefined;

  constructor(target: TransportTarget, settings: TransportSettings) {
    this.#tls = new TlsSource(target, settings);
    this.#http1 = new Http1Transport(target, settings, this.#tls);
    this.#http2 = new Http2Transport(target, settings, this.#tls);
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return this.#missing === 'http1'
      ? this.#http2.request(request)
      : this.#http1.request(request).catch((error: unknown) => {
          if (!isProtocolRefused(error)) throw error;
          this.#missing = 'http1';
          return this.#http2.request(request);
        });
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#missing === 'http2'
      ? this.#http1.stream(request)
      : this.#http2.stream(request).catch((error: unknown) => {
          if (!(error instanceof NoHttp2Error)) throw error;
          this.#missing = 'http2';
          return this.#http1.stream(request);
        });
  }

  get target(): TransportTarget {
    return this.#tls.target;
  }

  renew(): Promise<boolean> {
    return this.#tls.look();
  }

  async close(): Promise<void> {
    await Promise.all([this.#http1.close(), this.#http2.close()]);
  }
}

/** Returns true if the error shows that the server supports ALPN but does not offer HTTP/1.1. */
function isProtocolRefused(error: unknown): boolean {
  return error instanceof TransportError && nodeErrorCode(error.cause).endsWith('NO_APPLICATION_PROTOCOL');
}

const maxAttempts = 4;

interface ExchangeOf<T> {
  new (
    request: TransportRequest,
    connection: Http1Connection,
    resolve: (answer: T) => void,
    reject: (error: Error) => void,
  ): Exchange;
  /** True if the response may last long, so that its connection does not count towards the pool's limit. */
  readonly lasts: boolean;
}

/**
 * HTTP/1.1 on keep-alive connections, one request at a time on each connection. Used for single requests even if the server supports
 * HTTP/2, because a request costs about half the CPU time of node:http2. This class replaces node:http, because a failed request may be
 * sent again only if the server certainly did not receive it.
 */
class Http1Transport implements Transport {
  readonly #pool: Http1Pool;
  readonly #writer: RequestWriter;
  readonly #tls: TlsSource;

  constructor(
    target: TransportTarget,
    settings: TransportSettings = defaultTransportSettings,
    tls = new TlsSource(target, settings),
  ) {
    this.#tls = tls;
    this.#pool = new Http1Pool(tls, settings);
    this.#writer = new RequestWriter(target.server);
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#exchange<TransportResponse>(request, WholeExchange);
    return response.headers['content-encoding'] === undefined ? response : decompressed(request, response);
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#exchange<TransportStream>(request, StreamExchange);
  }

  get target(): TransportTarget {
    return this.#tls.target;
  }

  renew(): Promise<boolean> {
    return this.#tls.look();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Sends a request. Repeats the request on a new connection if the server has certainly not received it. */
  async #exchange<T>(request: TransportRequest, Kind: ExchangeOf<T>): Promise<T> {
    if (this.#pool.isClosed) throw closedError();
    const { signal, timeout } = request;
    signal?.throwIfAborted();
    const bytes = this.#writer.write(request);
    const started = performance.now();
    this.#tls.lookIfDue(started);
    const dueAt = timeout === undefined ? Infinity : started + timeout;
    for (let attempt = 1; ;) {
      const connection =
        this.#pool.take(performance.now()) ??
        (await this.#pool.wait({ signal, dueAt, late: () => timeoutError(request, true) }));
      if (signal?.aborted === true) this.#pool.released(connection);
      signal?.throwIfAborted();
      if (!connection.isUsable) continue;
      try {
        request.beforeSend?.();
      } catch (error) {
        this.#pool.released(connection);
        throw error;
      }
      if (Kind.lasts) this.#pool.lend(connection);
      try {
        return await new Promise<T>((resolve, reject) => {
          connection.run(new Kind(request, connection, resolve, reject), bytes, dueAt);
          this.#pool.moved(connection);
        });
      } catch (error) {
        const mayRepeat = error instanceof TransportError && error.neverSent;
        if (!mayRepeat || attempt === maxAttempts || this.#pool.isClosed) throw error;
        attempt += 1;
        // Closes the idle connections, because a server that closed one connection has usually closed others, too.
        this.#pool.dropIdle();
      }
    }
  }
}

type OnChunk = Parameters<TransportStream['read']>[0];

/** Collects the complete response. */
class WholeExchange implements Exchange {
  static readonly lasts = false;
  readonly request: TransportRequest;
  readonly #connection: Http1Connection;
  readonly #resolve: (response: TransportResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #head: ResponseHead | undefined;

  constructor(
    request: TransportRequest,
    connection: Http1Connection,
    resolve: (response: TransportResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.request = request;
    this.#connection = connection;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  head(head: ResponseHead): void {
    this.#head = head;
    const announced = Number(head.headers['content-length'] ?? 0);
    if (announced > maxBody) this.#refuse(announced);
  }

  data(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > maxBody) this.#refuse(this.#size);
  }

  end(): void {
    const { status, headers } = this.#head ?? { status: 0, headers: {} };
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status, headers, body });
  }

  fail(error: Error): void {
    this.#reject(error);
  }

  #refuse(size: number): void {
    const message = `the answer to ${describeRequest(this.request)} is too large: expected at most ${maxBody} bytes, got ${size}`;
    this.#connection.fail(new TransportError('kube/bad-response', message));
  }
}

/** Streams a response as it arrives. At most one chunk is taken from the socket before a reader is attached. */
class StreamExchange implements Exchange {
  static readonly lasts = true;
  readonly request: TransportRequest;
  readonly #connection: Http1Connection;
  readonly #opened: (stream: TransportStream) => void;
  readonly #reject: (error: Error) => void;
  #head: ResponseHead | undefined;
  #pending: Buffer[] = [];
  #onChunk: OnChunk | undefined;
  /** Number of chunks whose reader is not done with them. */
  #unread = 0;
  #settle: { resolve(): void; reject(error: Error): void } | undefined;
  #outcome: { readonly error?: Error } | undefined;
  #isCancelled = false;

  constructor(
    request: TransportRequest,
    connection: Http1Connection,
    opened: (stream: TransportStream) => void,
    reject: (error: Error) => void,
  ) {
    this.request = request;
    this.#connection = connection;
    this.#opened = opened;
    this.#reject = reject;
  }

  head(head: ResponseHead): void {
    this.#head = head;
    // The timeout of a stream applies only until the headers of the response arrive.
    this.#connection.dueAt = Infinity;
    this.#connection.pause();
    this.#opened({
      ...head,
      read: (onChunk) => this.#read(onChunk),
      cancel: () => this.#quit({}),
    });
  }

  data(chunk: Buffer): void {
    if (this.#outcome !== undefined) return;
    if (this.#onChunk === undefined) this.#pending.push(chunk);
    else this.#deliver(this.#onChunk, chunk);
  }

  end(): void {
    this.#finish({});
  }

  fail(error: Error): void {
    if (this.#head === undefined) this.#reject(error);
    this.#pending = [];
    this.#finish({ error });
  }

  #read(onChunk: OnChunk): Promise<void> {
    return new Promise((resolve, reject) => {
      for (const chunk of this.#pending.splice(0)) this.#deliver(onChunk, chunk);
      if (this.#outcome !== undefined) {
        if (this.#outcome.error === undefined) resolve();
        else reject(this.#outcome.error);
        return;
      }
      this.#settle = { resolve, reject };
      this.#onChunk = onChunk;
      if (this.#unread === 0) this.#connection.resume();
    });
  }

  #deliver(onChunk: OnChunk, chunk: Buffer): void {
    if (this.#isCancelled) return;
    try {
      const ready = onChunk(chunk);
      if (ready instanceof Promise) this.#waitFor(ready);
    } catch (error) {
      this.#quit({ error: toError(error) });
    }
  }

  /** Reads nothing from the connection until the reader is done with a chunk. */
  #waitFor(ready: Promise<unknown>): void {
    this.#unread += 1;
    this.#connection.pause();
    ready.then(
      () => {
        this.#unread -= 1;
        // After its end, the connection may serve another request.
        if (this.#unread === 0 && this.#outcome === undefined) this.#connection.resume();
      },
      (error: unknown) => this.#quit({ error: toError(error) }),
    );
  }

  /**
   * Ends the exchange. If the exchange has already ended, leaves the connection unchanged, because another request may use the connection.
   */
  #quit(outcome: { readonly error?: Error }): void {
    this.#isCancelled = true;
    this.#pending = [];
    if (this.#outcome === undefined) {
      this.#finish(outcome);
      this.#connection.destroy();
    } else if (outcome.error !== undefined) this.#outcome = outcome;
  }

  #finish(outcome: { readonly error?: Error }): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#onChunk = undefined;
    if (outcome.error === undefined) this.#settle?.resolve();
    else this.#settle?.reject(outcome.error);
  }
}
