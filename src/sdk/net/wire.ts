import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import * as tls from 'node:tls';
import {
  portOf,
  proxyAuthorization,
  proxyFor,
  reachOf,
  unbracketed,
  type Reach,
  openTunnel,
  TunnelError,
} from './proxy.ts';
import { toWireError, WireError } from './wire-error.ts';

/** One HTTP request. */
interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request, read only once. The headers must contain its length. */
  readonly body?: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** Classes of networks in which the server may be. Default: any. */
  readonly allowed?: ReadonlySet<Reach>;
  /** True to accept any certificate of the server. */
  readonly lax?: boolean;
}

/** A response. Its body must be read to the end or discarded. */
export interface WireResponse {
  readonly status: number;
  header(name: string): string | undefined;
  /** @throws WireError if the body is incomplete */
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborts reading the body, and sending the rest of the request. */
  discard(): void;
  /** IP address of the server; undefined if a proxy is used. */
  readonly remoteAddress: string | undefined;
}

/** HTTP client that keeps connections open until `close` is called. */
export interface Wire {
  /** @throws WireError; the signal's reason; errors thrown while the request's body is read */
  send(request: WireRequest): Promise<WireResponse>;
  close(): void;
}

interface WireSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Certificates of the trusted authorities; undefined for the authorities that Node trusts. */
  readonly ca: readonly string[] | undefined;
  readonly connectTimeout: number;
  readonly idleTimeout: number;
}

/**
 * Creates an HTTP/1.1 client with keep-alive connections. Connects directly, or through the proxies that the environment variables name.
 */
export function createWire(settings: WireSettings): Wire {
  const agents = new Map<string, http.Agent>();
  const agentFor = (url: URL, proxy: URL | undefined, lax: boolean): http.Agent => {
    const key = `${url.protocol} ${proxy?.href ?? ''} ${lax}`;
    const known = agents.get(key);
    if (known !== undefined) return known;
    const agent = makeAgent(url, proxy, lax, settings);
    agents.set(key, agent);
    return agent;
  };
  return {
    async send(request) {
      const { url } = request;
      const proxy = proxyFor(url, settings.env);
      const reach = reachOf(url.hostname);
      if (request.allowed !== undefined && reach !== undefined && !request.allowed.has(reach))
        throw unsafe(url, reach);
      const agent = agentFor(url, proxy, request.lax === true);
      return exchange(request, proxy, agent, settings);
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

function makeAgent(url: URL, proxy: URL | undefined, lax: boolean, settings: WireSettings): http.Agent {
  const options = { keepAlive: true, scheduling: 'lifo' as const };
  if (url.protocol === 'http:') return new http.Agent(options);
  const secure = {
    ...options,
    ...(settings.ca === undefined ? {} : { ca: [...settings.ca] }),
    // Set explicitly in all cases, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would apply if this option were absent.
    rejectUnauthorized: !lax,
  };
  return proxy === undefined
    ? new https.Agent(secure)
    : new TunnelAgent(secure, proxy, settings.connectTimeout);
}

/** Options of a {@link TunnelAgent} in addition to those of Node. */
interface TunnelOptions extends tls.ConnectionOptions {
  /** Aborts waiting for the proxy. Needed because aborting a request of Node has no effect on its connection until a socket exists. */
  readonly tunnelSignal?: AbortSignal;
}

/** HTTPS agent that opens TLS connections inside of tunnels through a proxy. */
class TunnelAgent extends https.Agent {
  readonly #proxy: URL;
  readonly #timeout: number;

  constructor(options: https.AgentOptions, proxy: URL, timeout: number) {
    super(options);
    this.#proxy = proxy;
    this.#timeout = timeout;
  }

  // Passes the connection to the callback. Node's agents accept that, but Node's types do not declare it.
  override createConnection(
    options: TunnelOptions,
    callback?: (error: Error | null, socket: tls.TLSSocket) => void,
  ): tls.TLSSocket {
    const host = options.host ?? '';
    const authority = `${host.includes(':') ? `[${host}]` : host}:${options.port ?? 443}`;
    void openTunnel(this.#proxy, authority, this.#timeout, options.tunnelSignal).then(
      (socket) => callback?.(null, tls.connect({ ...options, socket })),
      (error: unknown) => {
        const why =
          error instanceof TunnelError
            ? new WireError(
                'proxy',
                `no connection through the proxy ${this.#proxy.host}: ${error.message}`,
                {
                  cause: error,
                },
              )
            : (error as Error);
        callback?.(why, undefined as unknown as tls.TLSSocket);
      },
    );
    return undefined as unknown as tls.TLSSocket;
  }
}

function exchange(
  { method, url, headers, body, signal, allowed }: WireRequest,
  proxy: URL | undefined,
  agent: http.Agent,
  { connectTimeout, idleTimeout }: WireSettings,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const viaProxy = proxy !== undefined && url.protocol === 'http:';
    const target = viaProxy ? proxy : url;
    const ended = new AbortController();
    const tunnel: Pick<TunnelOptions, 'tunnelSignal'> =
      agent instanceof TunnelAgent ? { tunnelSignal: ended.signal } : {};
    const request = (url.protocol === 'https:' ? https : http).request({
      method,
      host: unbracketed(target.hostname),
      port: portOf(target),
      path: viaProxy ? url.href : `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, ...(viaProxy ? proxyAuthorization(proxy) : {}) },
      agent,
      ...tunnel,
      ...(allowed === undefined || proxy !== undefined ? {} : { lookup: guardedLookup(url, allowed) }),
    });
    let cause: Error | undefined;
    const stop = (reason: Error): void => {
      cause ??= reason;
      request.destroy(reason);
      ended.abort();
    };
    const onAbort = (): void => stop(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    request.once('close', () => signal.removeEventListener('abort', onAbort));
    // After the response has arrived, the rejection has no effect: reading the body throws the failure.
    request.on('error', (error) => reject(whyOf(cause, error, signal)));
    watchSilence(request, connectTimeout, idleTimeout, stop);
    request.once('response', (message) => {
      const whole = { sent: request.writableEnded };
      resolve({
        status: message.statusCode ?? 0,
        header: (name) => {
          const value = message.headers[name.toLowerCase()];
          return Array.isArray(value) ? value.join(', ') : value;
        },
        body: bodyOf(message, request, () => cause, signal),
        discard: () => {
          if (whole.sent && message.complete) message.resume();
          else if (whole.sent && Number(message.headers['content-length'] ?? Infinity) < 65_536)
            message.resume();
          else request.destroy();
          message.on('error', () => undefined);
        },
        remoteAddress: proxy === undefined ? message.socket.remoteAddress : undefined,
      });
    });
    if (body === undefined) request.end();
    else void writeBody(request, body).catch((error: unknown) => stop(error as Error));
  });
}

/** Returns the error that ended a request. If this module or the signal aborted the request, returns the reason of that abort. */
function whyOf(cause: Error | undefined, error: unknown, signal: AbortSignal): Error {
  if (cause !== undefined) return cause;
  return signal.aborted ? (signal.reason as Error) : toWireError(error);
}

function watchSilence(
  request: http.ClientRequest,
  connectTimeout: number,
  idleTimeout: number,
  stop: (reason: Error) => void,
): void {
  const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds / 1000)} s`;
  const connecting = setTimeout(
    () => stop(new WireError('silent', `no connection within ${seconds(connectTimeout)}`)),
    connectTimeout,
  );
  const connected = (): void => clearTimeout(connecting);
  request.once('socket', (socket) => {
    // Adds a listener only to a new socket. A keep-alive socket serves many requests and would accumulate one listener from each.
    if (!socket.connecting) connected();
    else socket.once(socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect', connected);
  });
  request.once('close', connected);
  request.setTimeout(idleTimeout, () =>
    stop(new WireError('silent', `no data was received for ${seconds(idleTimeout)}`)),
  );
}

/** Writes the request's body as fast as the peer reads it. Stops if the response arrives before the end of the body. */
async function writeBody(request: http.ClientRequest, body: AsyncIterable<Uint8Array>): Promise<void> {
  let over = false;
  let wake: () => void = () => undefined;
  const end = (): void => {
    over = true;
    wake();
  };
  request
    .once('response', end)
    .once('close', end)
    .on('drain', () => wake());
  for await (const chunk of body) {
    if (over) return;
    if (request.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (over) resolve();
    });
  }
  if (!request.destroyed) request.end();
}

async function* bodyOf(
  message: http.IncomingMessage,
  request: http.ClientRequest,
  cause: () => Error | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of message) yield chunk as Uint8Array;
  } catch (error) {
    throw whyOf(cause(), error, signal);
  } finally {
    // Closes the connection if the response was not read completely, or if it arrived before the request was sent completely.
    if (!message.complete || !request.writableEnded) request.destroy();
  }
}

/** Returns a lookup function that resolves host names, and refuses a name if it resolves to an address in a network that is not allowed. */
function guardedLookup(url: URL, allowed: ReadonlySet<Reach>): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error ?? new Error('no address'), '');
      const reaches = addresses.map(({ address }) => reachOf(address) ?? 'public');
      const bad = reaches.find((reach) => !allowed.has(reach));
      if (bad !== undefined) return callback(unsafe(url, bad), '');
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function unsafe(url: URL, reach: Reach): WireError {
  const places: Record<Reach, string> = {
    loopback: 'this machine itself',
    'link-local': 'a link-local address',
    private: 'a private network',
    public: 'the internet',
  };
  return new WireError('unsafe-address', `${url.host} is ${places[reach]}`);
}
