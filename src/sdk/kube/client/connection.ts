import { secrets, waitFor } from '../../net/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { closedError, TransportError, readAll } from '../transport/transport-error.ts';
import { createTransport, type Protocol } from '../transport/create-transport.ts';
import type {
  HeaderValues,
  ResponseHead,
  Transport,
  TransportRequest,
  TransportResponse,
  TransportSettings,
  TransportStream,
  UpgradedSocket,
} from '../transport/transport.ts';
import { ApiError } from './api-error.ts';
import {
  withQuery,
  type Query,
  parseWarnings,
  reportOnce,
  describeTarget,
  type CallTarget,
} from './calls.ts';
import { parseExactly } from './check-request.ts';
import { published } from './published-request.ts';
import { defaultWait, discard, isRepeatable, isSuccess, retryDelay } from './repetition.ts';

/** One request to the API server. */
export interface ApiCall {
  readonly target: CallTarget;
  readonly method: string;
  readonly path: string;
  readonly query?: Query | undefined;
  readonly headers?: HeaderValues;
  /** Body of the request. Strings and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Content type of the body. Default: `application/json`, if the request has a body. */
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time limit in milliseconds; for `stream`, until the headers of the response arrive. Default: the time limit of the connection. */
  readonly timeout?: number | undefined;
  /** False to return a response with Retry-After immediately, instead of waiting and retrying. Default: true. */
  readonly honourRetryAfter?: boolean;
  /** True to ignore the `Warning` headers of the answer. Default: false. */
  readonly ignoreWarnings?: boolean;
  /**
   * Function called synchronously before each try of the request, including repetitions. If it throws, the call fails with the thrown
   * error.
   */
  readonly beforeSend?: (() => void) | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  text(): string;
  /**
   * Parses the body of the response as JSON.
   * @throws TransportError `kube/bad-response` if the body is not JSON
   */
  json<T = unknown>(): T;
}

/** One exchange with the server, for metrics. Each repetition of a request is a separate exchange. */
export interface RequestObservation {
  readonly target: CallTarget;
  readonly method: string;
  readonly host: string;
  /** The HTTP status, or `<error>` if no response arrived. client-go's metrics use the same label values. */
  readonly code: string;
  readonly seconds: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Number of the try of the request; the first try is 1. */
  readonly attempt: number;
  /**
   * True for a watch, a log or a WebSocket. Then `seconds` covers only the time until the headers arrived, and the bytes of the body are not counted.
   */
  readonly isStream: boolean;
}

export interface ConnectionOptions {
  readonly protocol?: Protocol;
  readonly transport?: Partial<TransportSettings>;
  readonly userAgent?: string;
  /**
   * Milliseconds until a request is aborted; a stream is aborted only if its headers have not arrived by then. Default: 90,000, because the
   * API server itself ends requests after 60 s.
   */
  readonly requestTimeout?: number;
  /** Receives `Warning` headers and warnings about rounded integers, each distinct text only once. Default: process.emitWarning. */
  readonly onWarning?: (text: string) => void;
  readonly observe?: (observation: RequestObservation) => void;
  /** Called for each 403 response, before the error is thrown. */
  readonly onRefusal?: (refusal: ApiError) => void;
  /** Waits for the given milliseconds before a request is repeated. Tests replace this function. */
  readonly wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Authenticated connection to one cluster, which clients and reflectors share. */
export interface Connection {
  readonly cluster: Cluster;
  /**
   * Sends a request and returns the response.
   * @throws ApiError, TransportError, or the signal's reason
   */
  request(call: ApiCall): Promise<ApiResponse>;
  /**
   * Opens a streaming response, for watches and logs. Does not repeat the request on Retry-After, because the caller has its own back-off.
   * @throws like `request`
   */
  stream(call: ApiCall): Promise<TransportStream>;
  /**
   * Upgrades a connection of its own to a WebSocket, for exec and port forwarding. The request is a GET, but is never repeated after it may
   * have been sent, because it may start a command. The WebSocket is closed when the signal of the call aborts, and with the connection.
   *
   * @param protocols subprotocols that the caller understands, the preferred one first
   * @throws like `request`
   */
  upgrade(call: ApiCall, protocols: readonly string[]): Promise<UpgradedSocket>;
  warn(text: string): void;
  close(): Promise<void>;
}

/** Maximum number of tries of a request, as in client-go. */
const maxTries = 10;

/** Opens a connection to the cluster's API server; nothing is sent before the first request. */
export function openConnection(cluster: Cluster, options: ConnectionOptions = {}): Connection {
  const target = {
    server: cluster.server,
    tls: (signal?: AbortSignal) => cluster.tls(signal),
    proxy: cluster.proxy,
  };
  return new ApiConnection(cluster, createTransport(target, options.protocol, options.transport), options);
}

/** Connects through an existing transport; closing the connection closes the transport, too. */
export function connectThrough(
  transport: Transport,
  cluster: Cluster,
  options: ConnectionOptions = {},
): Connection {
  return new ApiConnection(cluster, transport, options);
}

class ApiConnection implements Connection {
  readonly cluster: Cluster;
  readonly #transport: Transport;
  readonly #options: ConnectionOptions;
  /** Closes the WebSockets. */
  readonly #closing = new AbortController();
  #common: { readonly identity: HeaderValues; readonly byType: Map<string, HeaderValues> };
  readonly warn: (text: string) => void;

  constructor(cluster: Cluster, transport: Transport, options: ConnectionOptions) {
    this.cluster = cluster;
    this.#transport = transport;
    this.#options = options;
    this.#common = { identity: {}, byType: new Map() };
    const report = reportOnce(
      options.onWarning ?? ((text) => process.emitWarning(text, 'KubernetesWarning')),
    );
    this.warn = (text) => report(secrets.redact(text));
  }

  async request(call: ApiCall): Promise<ApiResponse> {
    const response = await this.#send(call, this.#timeoutOf(call), 'whole', (request) =>
      this.#transport.request(request),
    );
    if (!isSuccess(response)) {
      throw this.#toApiError(call, response, response.body);
    }
    return this.#toApiResponse(call, response);
  }

  async stream(call: ApiCall): Promise<TransportStream> {
    const timeout = this.#timeoutOf(call);
    const response = await this.#send({ ...call, honourRetryAfter: false }, timeout, 'stream', (request) =>
      this.#transport.stream(request),
    );
    if (isSuccess(response)) return response;
    const { body } = await readAll(response, timeout);
    throw this.#toApiError(call, response, body);
  }

  async upgrade(call: ApiCall, protocols: readonly string[]): Promise<UpgradedSocket> {
    const { upgrade } = await import('../transport/web-socket.ts');
    // A kubelet, to which the API server passes the request on, answers with 406 to clients that accept JSON alone.
    const headers = { ...call.headers, accept: '*/*' };
    const response = await this.#send(
      { ...call, headers, honourRetryAfter: false },
      this.#timeoutOf(call),
      'upgrade',
      (request) =>
        upgrade(this.#transport.target, request, {
          describe: describeTarget(call.target),
          protocols,
          closing: this.#closing.signal,
        }),
    );
    if ('body' in response) throw this.#toApiError(call, response, response.body);
    return response;
  }

  close(): Promise<void> {
    this.#closing.abort(closedError({ neverSent: false }));
    return this.#transport.close();
  }

  #timeoutOf(call: ApiCall): number {
    return call.timeout ?? this.#options.requestTimeout ?? 90_000;
  }

  /**
   * Sends a request with current credentials. Repeats the request once after a 401. Repeats a repeatable request once after a broken
   * connection. If a response has a Retry-After header, repeats the request when the requested delay has passed.
   */
  async #send<R extends TransportResponse | TransportStream | UpgradedSocket>(
    call: ApiCall,
    timeout: number,
    kind: 'whole' | 'stream' | 'upgrade',
    exchange: (request: TransportRequest) => Promise<R>,
  ): Promise<R> {
    const isStream = kind !== 'whole';
    let refreshed = false;
    let reconnected = false;
    for (let attempt = 1; ; attempt += 1) {
      const request = await this.#toRequest(call, timeout);
      call.beforeSend?.();
      const started = performance.now();
      let response: R;
      try {
        response = await published(exchange, request, call.target, this.cluster.server, attempt);
      } catch (error) {
        this.#observe(call, request, '<error>', started, 0, attempt, isStream);
        const isLost = error instanceof TransportError && error.code === 'kube/connection-lost';
        if (!isLost || reconnected || kind === 'upgrade' || !isRepeatable(call)) throw error;
        reconnected = true;
        continue;
      }
      const size = 'body' in response ? response.body.length : 0;
      this.#observe(call, request, String(response.status), started, size, attempt, isStream);
      if (call.ignoreWarnings !== true)
        for (const warning of parseWarnings(response.headers['warning'])) this.warn(warning);
      if (response.status === 401 && !refreshed && (await this.#renew(call.signal))) {
        refreshed = true;
        discard(response);
        continue;
      }
      const delay = call.honourRetryAfter === false ? undefined : retryDelay(response);
      if (delay === undefined || attempt >= maxTries) return response;
      discard(response);
      await (this.#options.wait ?? defaultWait)(delay, call.signal);
    }
  }

  async #toRequest(call: ApiCall, timeout: number): Promise<TransportRequest> {
    const body = call.body === undefined || isRaw(call.body) ? call.body : JSON.stringify(call.body);
    const type = body === undefined ? '' : (call.contentType ?? 'application/json');
    const given = this.cluster.credentials.headers(call.signal);
    // The wait for credentials can be aborted, because they may come from a plugin, a file or an identity provider that does not answer.
    const identity = given instanceof Promise ? await waitFor(given, call.signal) : given;
    const headers =
      call.headers === undefined
        ? this.#commonHeaders(identity, type)
        : this.#headers({ ...identity, ...call.headers }, type);
    return {
      method: call.method,
      path: withQuery(call.path, call.query),
      headers,
      body,
      signal: call.signal,
      timeout,
      beforeSend: call.beforeSend,
    };
  }

  /** Returns the same headers object for the same credentials and content type, so that the transport can reuse the serialized headers. */
  #commonHeaders(identity: HeaderValues, type: string): HeaderValues {
    if (identity !== this.#common.identity) this.#common = { identity, byType: new Map() };
    let headers = this.#common.byType.get(type);
    if (headers === undefined) {
      headers = this.#headers(identity, type);
      this.#common.byType.set(type, headers);
    }
    return headers;
  }

  #headers(more: HeaderValues, type: string): HeaderValues {
    return {
      accept: 'application/json',
      'user-agent': this.#options.userAgent ?? 'op-sdk',
      ...(type === '' ? {} : { 'content-type': type }),
      ...this.#withoutSecrets(more),
    };
  }

  /** Renews the credentials (a token or the client certificate of the connections) after a 401. Returns true if another try may succeed. */
  async #renew(signal: AbortSignal | undefined): Promise<boolean> {
    const isRefreshed = this.cluster.credentials.refresh();
    const isRotated = await waitFor(
      this.#transport.renew().catch(() => false),
      signal,
    );
    return isRefreshed || isRotated;
  }

  /**
   * Removes credentials from requests over plain HTTP, because anybody on the network could read them. Source: client-go `clientcmd`,
   * `IsConfigTransportTLS`.
   */
  #withoutSecrets(headers: HeaderValues): HeaderValues {
    if (this.#isSecure) return headers;
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^authorization$/i.test(name)));
  }

  get #isSecure(): boolean {
    return this.cluster.server.protocol === 'https:';
  }

  #toApiError(call: ApiCall, { status, headers }: ResponseHead, body: Buffer): ApiError {
    const fix =
      status === 401 && !this.#isSecure
        ? ['use the https:// address of the API server: no credentials are sent over plain HTTP']
        : [];
    const error = ApiError.fromResponse(call.target, status, headers, body.toString('utf8'), fix);
    if (status === 403) this.#options.onRefusal?.(error);
    return error;
  }

  #toApiResponse(call: ApiCall, response: TransportResponse): ApiResponse {
    const { status, headers, body } = response;
    const text = (): string => body.toString('utf8');
    return {
      status,
      headers,
      body,
      text,
      json: <T>(): T => {
        try {
          return parseExactly(text(), (rounded) => {
            const [first] = rounded;
            if (first !== undefined) this.warn(roundedWarning(call.target, first.path));
          }) as T;
        } catch (error) {
          const message = `${describeTarget(call.target)}: the answer is not JSON: ${(error as Error).message}`;
          throw new TransportError('kube/bad-response', message, { cause: error });
        }
      },
    };
  }

  #observe(
    call: ApiCall,
    request: TransportRequest,
    code: string,
    started: number,
    responseBytes: number,
    attempt: number,
    isStream: boolean,
  ): void {
    this.#options.observe?.({
      target: call.target,
      method: call.method,
      host: this.cluster.server.host,
      code,
      seconds: (performance.now() - started) / 1000,
      requestBytes: request.body === undefined ? 0 : Buffer.byteLength(request.body),
      responseBytes,
      attempt,
      isStream,
    });
  }
}

/** Returns the text of the warning about an integer that was rounded when it was read. */
export function roundedWarning(target: CallTarget, path: string): string {
  const { resource } = target;
  const type =
    resource === undefined
      ? target.verb
      : resource.group === ''
        ? resource.plural
        : `${resource.plural}.${resource.group}`;
  const field = path.replaceAll(/\[\d+\]/g, '[]').replace(/^\.items\[\]/, '');
  return `${type} ${field}: an integer beyond 2^53-1 was read and rounded; such an object cannot be updated, only applied or patched`;
}

function isRaw(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}
