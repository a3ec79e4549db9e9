import { waitFor } from '../../net/index.ts';
import { closedError, TransportError, collectResponse, timeLeft, timeoutError } from './transport-error.ts';
import { Http2Session } from './http2-session.ts';
import {
  defaultTransportSettings,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportSettings,
  type TransportStream,
  type TransportTarget,
  type TlsMaterial,
} from './transport.ts';

const maxAttempts = 4;

/**
 * Sends all requests and watches of one cluster over as few HTTP/2 sessions as the server's stream limit allows, usually one. Sessions are
 * opened on demand. After a GOAWAY, new requests use a new session. Only requests that the server has certainly not processed are repeated.
 */
export class Http2Transport implements Transport {
  readonly #tls: TlsSource;
  readonly #target: TransportTarget;
  readonly #settings: TransportSettings;
  #sessions: Http2Session[] = [];
  #connecting: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(
    target: TransportTarget,
    settings: TransportSettings = defaultTransportSettings,
    tls = new TlsSource(target, settings),
  ) {
    this.#tls = tls;
    this.#target = tls.target;
    this.#settings = settings;
    tls.onChange(() => this.#drain());
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return collectResponse((each) => this.stream(each), request);
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const started = performance.now();
    this.#tls.lookIfDue(started);
    const deadline = request.timeout === undefined ? undefined : started + request.timeout;
    for (let attempt = 1; ; attempt += 1) {
      request.signal?.throwIfAborted();
      const session = await this.#sessionWithRoom(request, deadline);
      try {
        return await session.send(request, timeLeft(deadline));
      } catch (error) {
        const mayRepeat = error instanceof TransportError && error.neverSent;
        if (!mayRepeat || attempt === maxAttempts || this.#closing.signal.aborted) throw error;
      }
    }
  }

  get target(): TransportTarget {
    return this.#target;
  }

  renew(): Promise<boolean> {
    return this.#tls.look();
  }

  async close(): Promise<void> {
    this.#closing.abort(closedError());
    await Promise.all(this.#sessions.map((session) => session.close()));
    this.#sessions = [];
  }

  async #sessionWithRoom(request: TransportRequest, deadline: number | undefined): Promise<Http2Session> {
    for (;;) {
      if (this.#closing.signal.aborted) throw closedError();
      this.#tidy();
      const session = this.#sessions.find((each) => each.reserve());
      if (session !== undefined) return session;
      // Concurrent requests wait for the same new session. Each request then checks again for a free stream, because the session may
      // already be full.
      this.#connecting ??= this.#connect().finally(() => {
        this.#connecting = undefined;
      });
      await waitFor(this.#connecting, request.signal, timeLeft(deadline), () => timeoutError(request, true));
    }
  }

  async #connect(): Promise<void> {
    const session = await Http2Session.open(this.#target, this.#settings, this.#closing.signal);
    if (this.#closing.signal.aborted) return session.close();
    this.#sessions.push(session);
    // The TLS material may have changed again during the handshake, so that the new session already uses outdated material.
    if (!this.#tls.isCurrent(session.material)) this.#drain();
  }

  #drain(): void {
    for (const session of this.#sessions) if (!this.#tls.isCurrent(session.material)) session.drain();
    this.#tidy();
  }

  /** Drops dead sessions. Closes unused sessions that accept no more requests, and unused sessions that were opened for a past burst. */
  #tidy(): void {
    for (const [index, session] of this.#sessions.entries()) {
      const isSpare = index > 0 && session.unusedFor > this.#settings.pingAfterIdle;
      if (session.streams === 0 && (session.isDraining || isSpare)) void session.close();
    }
    this.#sessions = this.#sessions.filter((session) => !session.isDead);
  }
}

const fields = ['ca', 'cert', 'key', 'serverName', 'insecureSkipVerify'] as const;

/**
 * The TLS material of one server, for all transports to this server. The material is read for each new connection, and once a minute while
 * requests are sent. When the material has changed, connections with the old material must not be used any longer. Without requests,
 * nothing is read, which avoids a timer and needless runs of a credential plugin. Source: client-go `transport.certRotatingDialer`, which
 * closes all connections when the material has changed.
 */
export class TlsSource {
  readonly #target: TransportTarget;
  readonly #lookAgainAfter: number;
  readonly #drains: (() => void)[] = [];
  #current: TlsMaterial | undefined;
  #lookedAt = -Infinity;
  #looking: Promise<boolean> | undefined;

  constructor(target: TransportTarget, settings: TransportSettings) {
    this.#target = target;
    this.#lookAgainAfter = settings.rereadTlsAfter;
  }

  /** The connection target, whose `tls` reads the TLS material through this object. */
  get target(): TransportTarget {
    return { ...this.#target, tls: (signal) => this.#read(signal) };
  }

  /**
   * Returns true if a connection with the given TLS material may still be used. The material is the object that the target's `tls`
   * returned; undefined for a connection without TLS.
   */
  isCurrent(material: TlsMaterial | undefined): boolean {
    return material === undefined || material === this.#current;
  }

  /**
   * Registers a listener for changes of the TLS material. @param drain called when existing connections must not be used for new requests
   */
  onChange(drain: () => void): void {
    this.#drains.push(drain);
  }

  /** Checks the TLS material in the background if the configured interval has passed since the last read. Called with each request. */
  lookIfDue(now: number): void {
    if (now - this.#lookedAt < this.#lookAgainAfter || this.#current === undefined) return;
    // The error of a failed read is ignored, because the next connection that needs the material reports it.
    this.look().catch(() => undefined);
  }

  /**
   * Reads the TLS material. Returns true if existing connections use other material than the one just read.
   *
   * @throws the errors of the target's `tls`
   */
  async look(): Promise<boolean> {
    if (this.#current === undefined) return false;
    this.#looking ??= this.#hasChanged().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #hasChanged(): Promise<boolean> {
    const before = this.#current;
    return (await this.#read()) !== before;
  }

  /** Reads the material. Returns the same object until the material changes. */
  async #read(signal?: AbortSignal): Promise<TlsMaterial> {
    this.#lookedAt = performance.now();
    const material = await this.#target.tls(signal);
    const known = this.#current;
    if (known !== undefined && fields.every((field) => known[field] === material[field])) return known;
    this.#current = material;
    if (known !== undefined) for (const drain of this.#drains) drain();
    return material;
  }
}
