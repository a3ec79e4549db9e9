import { decompressed, timeoutError } from './collect.ts';
import { StreamExchange, WholeExchange } from './http1-exchange.ts';
import type { Exchange, Http1Connection } from './http1-connection.ts';
import { Http1Pool } from './http1-pool.ts';
import { RequestWriter } from './http1-request.ts';
import { TlsSource } from './tls-source.ts';
import { closedError, TransportError } from './transport-error.ts';
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

interface ExchangeOf<T> {
  new (
    request: TransportRequest,
    connection: Http1Connection,
    resolve: (answer: T) => void,
    reject: (error: Error) => void,
  ): Exchange;
  /** The answer may go on for long: its connection does not count as one of the pool's. */
  readonly lasts: boolean;
}

/**
 * HTTP/1.1 on keep-alive connections, one request at a time on each. For single requests even where the server speaks HTTP/2:
 * a request costs about half the CPU time that it costs with node:http2. Its own client and not node:http's, because what
 * is certain about a request that failed decides whether it may be sent again.
 */
export class Http1Transport implements Transport {
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

  renew(): Promise<boolean> {
    return this.#tls.look();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Sends what the server has certainly not seen again, on a new connection. */
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
        // What the server closed is mostly not alone.
        this.#pool.dropIdle();
      }
    }
  }
}
