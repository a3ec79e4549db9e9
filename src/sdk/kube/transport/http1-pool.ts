import { setImmediate as nextTurn } from 'node:timers/promises';
import { onAbort } from '../../net/index.ts';
import { closedError, Deadlines, type Expiring } from './transport-error.ts';
import { dial } from './dial.ts';
import { Http1Connection } from './http1-connection.ts';
import type { TlsSource } from './http2-transport.ts';
import type { TransportSettings, TransportTarget } from './transport.ts';

/**
 * Milliseconds without use after which an idle connection is checked before the next use, because the server may have closed it unnoticed.
 */
const hotFor = 1000;
/**
 * Maximum number of concurrent handshakes. Most requests of a burst are served by the first connections that are ready, and each handshake
 * costs client and server about as much as ten requests.
 */
const maxDials = 16;

interface Waiter extends Expiring {
  readonly take: (connection: Http1Connection) => void;
  readonly fail: (error: Error) => void;
}

/** A request that waits for a connection. */
interface Waiting {
  readonly signal: AbortSignal | undefined;
  /** Time of performance.now() at which the request fails with a timeout. */
  readonly dueAt: number;
  readonly late: () => Error;
}

/**
 * Connections of a transport. Requests without a free connection wait in the order of their arrival, while up to {@link
 * TransportSettings.maxConnections} connections are opened. The most recently used connection is reused first, so that surplus connections
 * stay idle and are closed.
 */
export class Http1Pool {
  readonly server: URL;
  readonly #target: TransportTarget;
  readonly #tls: TlsSource;
  readonly #settings: TransportSettings;
  readonly #deadlines = new Deadlines();
  readonly #open = new Set<Http1Connection>();
  readonly #idle: Http1Connection[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #closing = new AbortController();
  /** Connections that serve long-lived streams; they do not count towards the pool's limit. */
  readonly #streaming = new Set<Http1Connection>();
  #dialling = 0;

  constructor(tls: TlsSource, settings: TransportSettings) {
    this.#tls = tls;
    this.#target = tls.target;
    this.server = this.#target.server;
    this.#settings = settings;
    tls.onChange(() => this.dropIdle());
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Returns a recently used connection without waiting, if one exists. */
  take(now: number): Http1Connection | undefined {
    const connection = this.#idle.at(-1);
    if (connection === undefined || now - connection.idleSince > hotFor) return undefined;
    return this.#idle.pop();
  }

  /**
   * Waits for a free connection.
   *
   * @throws TransportError, always `neverSent`; the signal's reason
   */
  async wait(waiting: Waiting): Promise<Http1Connection> {
    if (this.#idle.length > 0) {
      // Lets Node process a pending close event of an idle connection before the connection is taken.
      await nextTurn();
      const connection = this.#idle.pop();
      if (connection !== undefined) return connection;
    }
    return this.#enqueue(waiting);
  }

  /**
   * Marks an acquired connection as serving a stream. The connection then no longer counts towards the pool's limit, so another one may be
   * opened.
   */
  lend(connection: Http1Connection): void {
    this.#streaming.add(connection);
    this.#dialIfNeeded();
  }

  /** Updates the timer of the pool. Called when the deadline of a connection has changed. */
  moved(connection: Http1Connection): void {
    this.#deadlines.moved(connection);
  }

  /** Closes all idle connections. */
  dropIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  async close(): Promise<void> {
    const error = closedError();
    this.#closing.abort(error);
    for (const waiter of [...this.#waiters]) waiter.fail(error);
    const connections = [...this.#open];
    for (const connection of connections) connection.destroy();
    await Promise.all(connections.map(({ closed }) => closed));
  }

  released(connection: Http1Connection): void {
    this.#streaming.delete(connection);
    const isWanted =
      !this.isClosed &&
      connection.isUsable &&
      this.#tls.isCurrent(connection.material) &&
      this.#size <= this.#settings.maxConnections;
    if (!isWanted) return connection.destroy();
    const [waiter] = this.#waiters;
    if (waiter !== undefined) return waiter.take(connection);
    const now = performance.now();
    connection.rest(now, now + this.#settings.keepIdleSocket);
    this.#deadlines.moved(connection);
    this.#idle.push(connection);
  }

  gone(connection: Http1Connection): void {
    if (!this.#open.delete(connection)) return;
    this.#streaming.delete(connection);
    this.#deadlines.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
    this.#dialIfNeeded();
  }

  /**
   * Closes the idle connections after a timeout, because they lead to the same unresponsive server, and each connection would cost another
   * request its entire timeout.
   */
  silent(): void {
    this.dropIdle();
  }

  get #size(): number {
    return this.#open.size - this.#streaming.size;
  }

  #enqueue({ signal, dueAt, late }: Waiting): Promise<Http1Connection> {
    return new Promise((resolve, reject) => {
      let stopListening = (): void => undefined;
      const leave = (): void => {
        stopListening();
        this.#waiters.delete(waiter);
        this.#deadlines.delete(waiter);
      };
      const waiter: Waiter = {
        dueAt,
        take: (connection) => {
          leave();
          resolve(connection);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
        expire: () => waiter.fail(late()),
      };
      if (this.isClosed) return reject(closedError());
      this.#waiters.add(waiter);
      this.#deadlines.add(waiter);
      stopListening = onAbort(signal, (reason) => waiter.fail(reason));
      this.#dialIfNeeded();
    });
  }

  #dialIfNeeded(): void {
    while (
      !this.isClosed &&
      this.#waiters.size > this.#dialling &&
      this.#dialling < maxDials &&
      this.#size + this.#dialling < this.#settings.maxConnections
    )
      void this.#dial();
  }

  async #dial(): Promise<void> {
    this.#dialling += 1;
    let failure: Error | undefined;
    try {
      const dialled = await dial(
        this.#target,
        ['http/1.1'],
        this.#settings.connectTimeout,
        this.#closing.signal,
      );
      this.#adopt(new Http1Connection(dialled, this));
    } catch (error) {
      failure = error as Error;
    } finally {
      this.#dialling -= 1;
    }
    if (failure !== undefined) this.#refuse(failure);
    this.#dialIfNeeded();
  }

  #adopt(connection: Http1Connection): void {
    this.#open.add(connection);
    this.#deadlines.add(connection);
    this.released(connection);
  }

  /**
   * Fails the first waiting request. The other waiting requests are served by open connections when these become free. If no connection is
   * open, the other requests fail, too.
   */
  #refuse(error: Error): void {
    const [first, ...others] = this.#waiters;
    first?.fail(error);
    if (this.#open.size === 0) for (const waiter of others) waiter.fail(error);
  }
}
