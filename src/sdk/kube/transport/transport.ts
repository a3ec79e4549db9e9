/** Request headers by name. */
export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/** One HTTP request, independent of Kubernetes. */
export interface TransportRequest {
  readonly method: string;
  /** Begins with `/` and includes the query; appended to the path of the server's URL. */
  readonly path: string;
  readonly headers?: HeaderValues;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the last byte for `request`, until the response's headers for `stream`. Default: none. */
  readonly timeout?: number | undefined;
  /** Called synchronously before each time that the bytes are passed to a connection; if it throws, the request fails with that error. */
  readonly beforeSend?: (() => void) | undefined;
}

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case; repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface TransportResponse extends ResponseHead {
  /** Decompressed. */
  readonly body: Buffer;
}

/** A response whose body has not been read yet. Call `read` or `cancel`: until then it occupies its connection. */
export interface TransportStream extends ResponseHead {
  /**
   * Delivers the body as it arrives. Resolves at its regular end, and after `cancel`.
   *
   * @throws TransportError when the connection breaks; the signal's reason when it aborts; the errors of `onChunk`
   */
  read(onChunk: (chunk: Buffer) => void): Promise<void>;
  /** Ends the response immediately; nothing is delivered afterwards. Does nothing if it has already ended. */
  cancel(): void;
}

/**
 * Transfers bytes to and from one server. Handles connections, not credentials or Kubernetes. Both methods throw a TransportError or the
 * reason of the request's signal.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
  stream(request: TransportRequest): Promise<TransportStream>;
  /**
   * Reads the TLS material immediately, as after a 401: connections with other material accept no more requests. Returns true if there were
   * any. The material is also read once a minute while requests are sent.
   *
   * @throws the errors of the target's `tls`
   */
  renew(): Promise<boolean>;
  /** Closes all connections; requests in flight fail. Idempotent. */
  close(): Promise<void>;
}

/** PEM texts and verification settings of one connection. */
export interface TlsMaterial {
  /** The authorities that verify the server's certificate. Default: those of Node. */
  readonly ca?: string | undefined;
  /** The client's certificate. Default: none. */
  readonly cert?: string | undefined;
  /** The key of the client's certificate. */
  readonly key?: string | undefined;
  /** The name that the server's certificate must contain, if it differs from the host of the URL. */
  readonly serverName?: string | undefined;
  /** Accept any certificate of the server. Default: false. */
  readonly insecureSkipVerify?: boolean | undefined;
}

/** The server to connect to. */
export interface TransportTarget {
  /** `https://host:port/prefix`. */
  readonly server: URL;
  /**
   * Returns the TLS material. Called before each new connection, and once a minute while requests are sent, so that renewed files are used.
   *
   * @param signal aborts waiting for the material
   */
  tls(signal?: AbortSignal): Promise<TlsMaterial>;
  /** An `http:` proxy that supports CONNECT. */
  readonly proxy?: URL | undefined;
}

/** Times in milliseconds, sizes in bytes. Defaults: {@link defaultTransportSettings}. */
export interface TransportSettings {
  /** Limit for TCP, TLS and (HTTP/2) the server's SETTINGS. */
  readonly connectTimeout: number;
  /** HTTP/2: time without a frame after which a PING is sent. */
  readonly pingAfterIdle: number;
  /** HTTP/2: a PING that is not answered within this time ends the session. */
  readonly pingTimeout: number;
  readonly streamWindow: number;
  readonly sessionWindow: number;
  /** Node's cap on the memory of one HTTP/2 session, in megabytes (Node's default is 10). */
  readonly maxSessionMemory: number;
  /** HTTP/1.1: an unused connection is closed after this time; the API server itself closes after 90 s. */
  readonly keepIdleSocket: number;
  /** HTTP/1.1: limit for concurrent connections, not counting those of streams. Further requests wait. */
  readonly maxConnections: number;
  /** Interval at which the TLS material is read again while requests are sent, to detect changes. */
  readonly rereadTlsAfter: number;
}

/**
 * client-go's health check (30 s / 15 s) and dial timeout (30 s); window sizes measured for large lists. As many connections as the API
 * server allows streams on one HTTP/2 connection: with fewer, a Lease could wait behind slow writes; idle connections are closed.
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
