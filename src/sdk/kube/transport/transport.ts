/** Request headers by name. */
export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/** One request, without anything that Kubernetes means by it. */
export interface TransportRequest {
  readonly method: string;
  /** Begins with `/`, query included; the path of the server's URL is put before it. */
  readonly path: string;
  readonly headers?: HeaderValues;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds: for `request` until the last byte, for `stream` until the response's headers. Default: none. */
  readonly timeout?: number | undefined;
  /** Called at the last moment before the bytes are handed to a connection, each time they are; what it throws ends the request. */
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

/** A response whose body has not been read yet. `read` or `cancel` must be called: until then it holds its connection. */
export interface TransportStream extends ResponseHead {
  /**
   * Delivers the body as it arrives. Resolves at its regular end, and after `cancel`.
   *
   * @throws TransportError when the connection breaks; the signal's reason when it aborts; what `onChunk` throws.
   */
  read(onChunk: (chunk: Buffer) => void): Promise<void>;
  /** Ends the response at once; nothing is delivered after it. Does nothing when it has ended. */
  cancel(): void;
}

/**
 * Bytes to and from one server. Knows connections, not credentials or Kubernetes.
 * Both methods throw a TransportError or the reason of the request's signal.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
  stream(request: TransportRequest): Promise<TransportStream>;
  /**
   * Reads the TLS material now, as after a 401: connections made with other material take no more requests.
   * True if there were any. It is read once a minute anyway while requests are sent.
   *
   * @throws what the target's `tls` throws
   */
  renew(): Promise<boolean>;
  /** Ends all connections; requests in flight fail. Idempotent. */
  close(): Promise<void>;
}

/** PEM texts and checks of one connection. */
export interface TlsMaterial {
  /** The authorities that the server's certificate is checked against. Default: those of Node. */
  readonly ca?: string | undefined;
  /** The client's certificate. Default: none. */
  readonly cert?: string | undefined;
  /** The key of the client's certificate. */
  readonly key?: string | undefined;
  /** The name that the server's certificate must carry, if not the host of the URL. */
  readonly serverName?: string | undefined;
  /** Accept any certificate of the server. Default: false. */
  readonly insecureSkipVerify?: boolean | undefined;
}

/** Where to connect to. */
export interface TransportTarget {
  /** `https://host:port/prefix`. */
  readonly server: URL;
  /**
   * Asked before each new connection, and once a minute while requests are sent, so that renewed files are seen.
   *
   * @param signal ends the wait for it
   */
  tls(signal?: AbortSignal): Promise<TlsMaterial>;
  /** An `http:` proxy that is asked to CONNECT. */
  readonly proxy?: URL | undefined;
}

/** Times in milliseconds, sizes in bytes. Defaults: {@link defaultTransportSettings}. */
export interface TransportSettings {
  /** Until TCP, TLS and (HTTP/2) the server's SETTINGS are through. */
  readonly connectTimeout: number;
  /** HTTP/2: after so long without a frame a PING is sent. */
  readonly pingAfterIdle: number;
  /** HTTP/2: a PING that is not answered within this time ends the session. */
  readonly pingTimeout: number;
  readonly streamWindow: number;
  readonly sessionWindow: number;
  /** Node's cap on the memory of one HTTP/2 session, in megabytes (Node's default is 10). */
  readonly maxSessionMemory: number;
  /** HTTP/1.1: an unused connection is closed after this time; the API server itself closes after 90 s. */
  readonly keepIdleSocket: number;
  /** HTTP/1.1: connections for requests at a time; streams come on top. More requests wait for their turn. */
  readonly maxConnections: number;
  /** While requests are sent: after so long the TLS material is read again, to see whether it has changed. */
  readonly rereadTlsAfter: number;
}

/**
 * client-go's health check (30 s / 15 s) and dial timeout (30 s); windows as measured for large lists. As many connections as the
 * API server allows streams on one HTTP/2 connection: fewer could make a Lease wait behind slow writes, and idle ones are closed.
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
