import { collect } from './collect.ts';
import { Http2Session } from './http2-session.ts';
import { TransportError } from './transport-error.ts';
import {
  defaultTransportSettings,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportSettings,
  type TransportStream,
  type TransportTarget,
} from './transport.ts';

const maxAttempts = 4;

/**
 * All requests and watches of one cluster over as few HTTP/2 sessions as the server's stream limit allows, usually one.
 * A session is opened when it is first needed. After GOAWAY new requests go to a new session; only requests that the
 * server has certainly not processed are sent again.
 */
export class Http2Transport implements Transport {
  readonly #target: TransportTarget;
  readonly #settings: TransportSettings;
  #sessions: Http2Session[] = [];
  #connecting: Promise<void> | undefined;
  #closed = false;

  constructor(target: TransportTarget, settings: TransportSettings = defaultTransportSettings) {
    this.#target = target;
    this.#settings = settings;
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return collect((each) => this.stream(each), request);
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    for (let attempt = 1; ; attempt += 1) {
      request.signal?.throwIfAborted();
      const session = await this.#sessionWithRoom();
      try {
        return await session.send(request);
      } catch (error) {
        const mayRepeat = error instanceof TransportError && error.neverSent;
        if (!mayRepeat || attempt === maxAttempts || this.#closed) throw error;
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#sessions.map((session) => session.close()));
    this.#sessions = [];
  }

  async #sessionWithRoom(): Promise<Http2Session> {
    for (;;) {
      if (this.#closed)
        throw new TransportError('kube/connection-closed', 'the client has been closed', { neverSent: true });
      this.#tidy();
      const session = this.#sessions.find((each) => each.reserve());
      if (session !== undefined) return session;
      // Whoever comes meanwhile waits for the same connection and then looks again: it may be full already.
      this.#connecting ??= this.#connect().finally(() => {
        this.#connecting = undefined;
      });
      await this.#connecting;
    }
  }

  async #connect(): Promise<void> {
    const session = await Http2Session.open(this.#target, this.#settings);
    if (this.#closed) await session.close();
    else this.#sessions.push(session);
  }

  /** Forgets dead sessions and gives up those that a past burst opened. */
  #tidy(): void {
    this.#sessions = this.#sessions.filter((session) => !session.isDead);
    for (const session of this.#sessions.slice(1)) {
      if (session.streams === 0 && session.hasRoom && session.idleFor > this.#settings.pingAfterIdle)
        session.retire();
    }
  }
}
