import {
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import { bodyStream, handshake } from './body-stream.ts';
import {
  nodeMessageOf,
  nodeErrorCode,
  TransportError,
  describeRequest,
  timeoutError,
} from './transport-error.ts';
import { dial } from './dial.ts';
import { giveUpOn } from '../../net/index.ts';
import type {
  ResponseHead,
  TlsMaterial,
  TransportRequest,
  TransportSettings,
  TransportStream,
  TransportTarget,
} from './transport.ts';

/** Error for a server that does not support HTTP/2; nothing was sent. */
export class NoHttp2Error extends TransportError {}

/**
 * Codes of the errors that Node throws if a session ended after it was chosen for a request, or if the session has used up its stream ids.
 */
const endedSession = new Set([
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_OUT_OF_STREAMS',
]);

/** One HTTP/2 session. Counts its streams, checks its own health, and reports when it accepts no more streams. */
export class Http2Session {
  /** TLS material of the session; undefined without TLS. */
  readonly material: TlsMaterial | undefined;
  readonly #session: ClientHttp2Session;
  readonly #socket: Socket;
  readonly #settings: TransportSettings;
  readonly #basePath: string;
  readonly #authority: string;
  #streams = 0;
  #draining = false;
  #lastActivity = performance.now();
  #lastUse = performance.now();
  #deathCause: Error | undefined;
  #healthTimer: NodeJS.Timeout | undefined;

  private constructor(
    session: ClientHttp2Session,
    socket: Socket,
    material: TlsMaterial | undefined,
    target: TransportTarget,
    settings: TransportSettings,
  ) {
    this.#session = session;
    this.#socket = socket;
    this.material = material;
    this.#settings = settings;
    this.#basePath = target.server.pathname.replace(/\/$/, '');
    this.#authority = target.server.host;
    session.on('error', (error) => {
      this.#deathCause ??= error;
    });
    session.on('goaway', () => {
      this.#draining = true;
    });
    session.on('close', () => {
      this.#draining = true;
      clearTimeout(this.#healthTimer);
    });
    this.#checkHealthIn(settings.pingAfterIdle);
  }

  /**
   * Connects and waits for the server's SETTINGS, which confirm that the server supports HTTP/2 and contain the number of allowed streams.
   *
   * @param signal aborts the attempt
   * @throws NoHttp2Error or TransportError, always `neverSent`; the signal's reason
   */
  static async open(
    target: TransportTarget,
    settings: TransportSettings,
    signal: AbortSignal,
  ): Promise<Http2Session> {
    const deadline = performance.now() + settings.connectTimeout;
    const { socket, alpn, material } = await dial(
      target,
      ['h2', 'http/1.1'],
      settings.connectTimeout,
      signal,
    );
    if (target.server.protocol === 'https:' && alpn !== 'h2') {
      socket.destroy();
      throw new NoHttp2Error('kube/bad-response', `${target.server.origin} does not speak HTTP/2`, {
        neverSent: true,
      });
    }
    const remaining = Math.max(1, deadline - performance.now());
    const session = await handshake(socket, target.server, settings, remaining, signal);
    return new Http2Session(session, socket, material, target, settings);
  }

  get streams(): number {
    return this.#streams;
  }

  get isDead(): boolean {
    return this.#session.destroyed;
  }

  /**
   * Reserves a stream for one call of `send`, synchronously. The reservation is needed because all requests that wait for the same
   * connection check for a free stream before any of them is sent. A stream beyond the limit would wait until another stream ends, and a
   * watch may never end. Returns false if no stream is free.
   */
  reserve(): boolean {
    if (!this.#hasRoom) return false;
    this.#streams += 1;
    return true;
  }

  get #hasRoom(): boolean {
    if (this.#draining || this.#session.closed || this.#session.destroyed) return false;
    return this.#streams < (this.#session.remoteSettings.maxConcurrentStreams ?? Infinity);
  }

  /**
   * True if the session accepts no new requests, because the server sent GOAWAY or refused a stream, or because the stream ids are used up.
   */
  get isDraining(): boolean {
    return this.#draining;
  }

  /** Stops accepting new requests; requests in flight continue. */
  drain(): void {
    this.#draining = true;
  }

  /** Milliseconds for which no request has been in flight; 0 while a request is in flight. */
  get unusedFor(): number {
    return this.#streams > 0 ? 0 : performance.now() - this.#lastUse;
  }

  /**
   * Sends a request on a reserved stream.
   *
   * @param timeout milliseconds until the headers of the response must arrive
   * @throws TransportError; with `neverSent` if the server refused the stream or did not process it
   */
  async send(request: TransportRequest, timeout = request.timeout): Promise<TransportStream> {
    let stream: ClientHttp2Stream;
    try {
      request.signal?.throwIfAborted();
      request.beforeSend?.();
      stream = this.#start(request);
    } catch (error) {
      this.#release();
      throw error;
    }
    stream.once('close', () => this.#release());
    return new Promise((resolve, reject) => {
      let responded = false;
      let streamError: unknown;
      const stopWaiting = giveUpOn(
        request.signal,
        timeout,
        (reason) => {
          stream.close(constants.NGHTTP2_CANCEL);
          reject(reason);
        },
        () => {
          stream.close(constants.NGHTTP2_CANCEL);
          reject(timeoutError(request));
        },
      );
      stream.on('error', (error) => {
        streamError ??= error;
      });
      stream.once('close', () => {
        stopWaiting();
        if (!responded) reject(this.#streamError(request, stream, streamError));
      });
      stream.once('response', (headers) => {
        responded = true;
        stopWaiting();
        this.#lastActivity = performance.now();
        resolve(this.#toStream(request, stream, headers));
      });
      stream.end(request.body);
    });
  }

  /** Closes the session immediately; requests in flight fail. */
  async close(): Promise<void> {
    this.#draining = true;
    clearTimeout(this.#healthTimer);
    if (this.#session.destroyed) return;
    const closed = new Promise<void>((resolve) => {
      this.#session.once('close', () => resolve());
    });
    this.#deathCause ??= new Error('the client has been closed');
    this.#destroy();
    await closed;
  }

  /**
   * Destroys the session and the socket. The socket is destroyed, too, because after a GOAWAY, Node closes it gracefully, which never
   * completes with an unresponsive peer.
   */
  #destroy(error?: Error): void {
    this.#session.destroy(error, error === undefined ? constants.NGHTTP2_NO_ERROR : undefined);
    this.#socket.destroy();
  }

  #start(request: TransportRequest): ClientHttp2Stream {
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(
        {
          ...lowerCase(request.headers ?? {}),
          [constants.HTTP2_HEADER_METHOD]: request.method,
          [constants.HTTP2_HEADER_PATH]: this.#basePath + request.path,
          [constants.HTTP2_HEADER_AUTHORITY]: this.#authority,
          ...(request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) }),
        },
        { endStream: request.body === undefined },
      );
    } catch (error) {
      if (!endedSession.has(nodeErrorCode(error))) throw error;
      this.#draining = true;
      throw new TransportError(
        'kube/connection-lost',
        `${describeRequest(request)} was not sent: ${nodeMessageOf(error)}`,
        {
          cause: error,
          neverSent: true,
        },
      );
    }
    this.#session.ref();
    return stream;
  }

  #release(): void {
    this.#streams -= 1;
    this.#lastUse = performance.now();
    // An idle session must not keep the process alive.
    if (this.#streams === 0 && !this.#session.destroyed) this.#session.unref();
  }

  #toStream(
    request: TransportRequest,
    stream: ClientHttp2Stream,
    headers: IncomingHttpHeaders,
  ): TransportStream {
    stream.on('data', () => {
      this.#lastActivity = performance.now();
    });
    // The `data` listener above starts the flow of the stream. The stream is paused, because the body must wait for its reader.
    stream.pause();
    let ended = false;
    let aborted = false;
    stream.once('end', () => {
      ended = true;
    });
    stream.once('aborted', () => {
      aborted = true;
    });
    return bodyStream({
      head: toHead(headers),
      readable: stream,
      isComplete: () =>
        ended && !aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR && this.#deathCause === undefined,
      abort: () => stream.close(constants.NGHTTP2_CANCEL),
      signal: request.signal,
      describe: describeRequest(request),
    });
  }

  #streamError(request: TransportRequest, stream: ClientHttp2Stream, error: unknown): TransportError {
    const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    const neverSent =
      refused || stream.id === undefined || nodeErrorCode(error) === 'ERR_HTTP2_GOAWAY_SESSION';
    const cause = this.#deathCause ?? error;
    const detail = refused
      ? 'the server refused the stream'
      : cause === undefined
        ? 'it ended without an answer'
        : nodeMessageOf(cause);
    if (refused) this.#draining = true;
    return new TransportError(
      'kube/connection-lost',
      `the connection broke during ${describeRequest(request)}: ${detail}`,
      { cause, neverSent },
    );
  }

  #checkHealthIn(milliseconds: number): void {
    this.#healthTimer = setTimeout(() => this.#checkHealth(), milliseconds).unref();
  }

  #checkHealth(): void {
    if (this.isDead) return;
    const { pingAfterIdle, pingTimeout } = this.#settings;
    const idleFor = performance.now() - this.#lastActivity;
    if (idleFor < pingAfterIdle) {
      this.#checkHealthIn(pingAfterIdle - idleFor);
      return;
    }
    const timer = setTimeout(() => {
      this.#deathCause ??= new Error(`no answer to a PING within ${pingTimeout / 1000} s`);
      this.#destroy(this.#deathCause);
    }, pingTimeout);
    this.#session.ping((error: Error | null) => {
      clearTimeout(timer);
      if (error === null) this.#lastActivity = performance.now();
      if (!this.isDead) this.#checkHealthIn(pingAfterIdle);
    });
  }
}

function lowerCase(
  headers: Readonly<Record<string, string | readonly string[]>>,
): Record<string, string | readonly string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function toHead(incoming: IncomingHttpHeaders): ResponseHead {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming)) {
    if (value !== undefined && !name.startsWith(':'))
      headers[name] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return {
    status: Number((incoming as Record<string, unknown>)[constants.HTTP2_HEADER_STATUS] ?? 0),
    headers,
  };
}
