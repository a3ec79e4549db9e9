/** Request headers by name. */
export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/** One HTTP request, independent of Kubernetes. */
export interface TransportRequest {
  readonly method: string;
  /** Path of the request. The path begins with `/`, includes the query, and is appended to the path of the server's URL. */
  readonly path: string;
  readonly headers?: HeaderValues;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Timeout in milliseconds: for `request`, until the last byte of the response arrives; for `stream`, until the headers of the response
   * arrive. Default: none.
   */
  readonly timeout?: number | undefined;
  /**
   * Called synchronously each time before the bytes of the request are passed to a connection. If this function throws, the request fails
   * with the thrown error.
   */
  readonly beforeSend?: (() => void) | undefined;
}

export interface ResponseHead {
  readonly status: number;
  /** Headers of the response. The names are in lower case; repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface TransportResponse extends ResponseHead {
  /** Decompressed body of the response. */
  readonly body: Buffer;
}

/** A response whose body has not been read yet. Call `read` or `cancel`, because the response occupies its connection until then. */
export interface TransportStream extends ResponseHead {
  /**
   * Delivers the body as it arrives. While a promise that `onChunk` has returned is pending, nothing is read from the connection, so that
   * the server waits for a slow reader; at most the bytes that were received already are still delivered. Resolves at the regular end of
   * the body, and after `cancel`.
   *
   * @throws TransportError when the connection breaks; the signal's reason when the signal is aborted; the errors of `onChunk`
   */
  read(onChunk: (chunk: Buffer) => unknown): Promise<void>;
  /** Ends the response immediately; nothing is delivered afterwards. Does nothing if the response has already ended. */
  cancel(): void;
}

/** A connection that was upgraded to a WebSocket. Call `read` or `cancel`, because nothing else closes it. */
export interface UpgradedSocket extends ResponseHead {
  /** Subprotocol that the server has chosen. */
  readonly protocol: string;
  /** Resolves when the connection is closed, for whatever reason. */
  readonly closed: Promise<void>;
  /**
   * Sends a binary message. Resolves when the kernel has taken it, so that a caller that waits does not fill the memory.
   *
   * @throws TransportError when the connection breaks
   */
  send(message: Buffer): Promise<void>;
  /**
   * Delivers the messages as they arrive, with the back-pressure of {@link TransportStream.read}. Resolves when the server closes the
   * connection regularly, and after `cancel`.
   *
   * @throws TransportError when the connection breaks; the signal's reason when the signal is aborted; the errors of `onMessage`
   */
  read(onMessage: (message: Buffer) => unknown): Promise<void>;
  /** Closes the connection immediately; nothing is delivered afterwards. */
  cancel(): void;
}

/**
 * Transfers bytes to and from one server. Handles connections, not credentials or Kubernetes. `request` and `stream` throw a TransportError
 * or the reason of the request's signal.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
  stream(request: TransportRequest): Promise<TransportStream>;
  /** The server, for connections of their own: those that a request upgrades. */
  readonly target: TransportTarget;
  /**
   * Reads the TLS material immediately, for example after a 401. Connections with other material accept no more requests. Returns true if
   * such connections existed. The material is also read once a minute while requests are sent.
   *
   * @throws the errors of the target's `tls`
   */
  renew(): Promise<boolean>;
  /** Closes all connections; requests in flight fail. Further calls have no effect. */
  close(): Promise<void>;
}

/** PEM texts and verification settings of one connection. */
export interface TlsMaterial {
  /** Certificates of the authorities that may have signed the server's certificate. Default: the authorities that Node trusts. */
  readonly ca?: string | undefined;
  /** Certificate of the client. Default: none. */
  readonly cert?: string | undefined;
  /** Private key of the client's certificate. */
  readonly key?: string | undefined;
  /** The name that the server's certificate must contain, if it differs from the host of the URL. */
  readonly serverName?: string | undefined;
  /** True to accept any certificate of the server. Default: false. */
  readonly insecureSkipVerify?: boolean | undefined;
}

/** The server to connect to. */
export interface TransportTarget {
  /** URL of the server: `https://host:port/prefix`. */
  readonly server: URL;
  /**
   * Returns the TLS material. Called before each new connection, and once a minute while requests are sent, so that renewed files are used.
   *
   * @param signal aborts waiting for the material
   */
  tls(signal?: AbortSignal): Promise<TlsMaterial>;
  /** URL of an `http:` proxy that supports CONNECT. */
  readonly proxy?: URL | undefined;
}

/** Settings of a transport. Times are in milliseconds, sizes in bytes. Defaults: {@link defaultTransportSettings}. */
export interface TransportSettings {
  /** Time limit for opening a connection: TCP, TLS and, with HTTP/2, the arrival of the server's SETTINGS. */
  readonly connectTimeout: number;
  /** HTTP/2: time after which a PING is sent if no frame has arrived. */
  readonly pingAfterIdle: number;
  /** HTTP/2: time within which a PING must be answered; otherwise the session is ended. */
  readonly pingTimeout: number;
  readonly streamWindow: number;
  readonly sessionWindow: number;
  /** HTTP/2: maximum memory that Node may use for one session, in megabytes (Node's default is 10). */
  readonly maxSessionMemory: number;
  /** HTTP/1.1: time after which an unused connection is closed. The API server itself closes unused connections after 90 s. */
  readonly keepIdleSocket: number;
  /** HTTP/1.1: maximum number of concurrent connections, not counting the connections of streams. Further requests wait. */
  readonly maxConnections: number;
  /** Interval at which the TLS material is read again while requests are sent, to detect changes. */
  readonly rereadTlsAfter: number;
}

/**
 * Default settings: the health check (30 s / 15 s) and the connect timeout (30 s) of client-go, and window sizes measured for large lists.
 * The maximum number of connections equals the number of streams that the API server allows on one HTTP/2 connection. With fewer
 * connections, a request for a Lease could wait behind slow writes. Idle connections are closed.
 */
export const defaultTransportSettings: TransportSettings = {
  connectTimeout: 30_000,
  pingAfterIdle: 30_000,
  pingTimeout: 15_000,
  streamWindow: 4 * 1024 * 1024,
  sessionWindow: 16 * 1024 * 1024,
  maxSessionMemory: 64,
  keepIdleSocket: 60_000,
  maxConnections: 100,
  rereadTlsAfter: 60_000,
};
