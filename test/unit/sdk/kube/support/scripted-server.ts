import { once } from 'node:events';
import { createServer as createHttps } from 'node:https';
import {
  createServer as createHttp1,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import {
  constants,
  createSecureServer,
  createServer as createHttp2,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createCertificateAuthority } from '../../../../../src/sdk/x509/certificate-authority.ts';
import { noCredentials, type Cluster, type Credentials } from '../../../../../src/sdk/kube/index.ts';

export type ScriptedProtocol = 'http1' | 'http2';

/** One request at the scripted server, and what to answer to it. */
export interface Exchange {
  /** Counts from 0. */
  readonly index: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Settles when the client has gone. */
  readonly closed: Promise<void>;
  reply(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  /** Begins a streaming answer. */
  open(status?: number): void;
  write(data: string | Buffer): void;
  /** Objects as lines of a watch. */
  events(...events: readonly object[]): void;
  end(data?: string | Buffer): void;
  /** Breaks the exchange in the middle. */
  reset(): void;
  /** HTTP/2: refuses the stream, as a server does that is going away. */
  refuse(): void;
  /** HTTP/2: tells the client to open another session for what comes next. */
  goAway(): void;
}

export interface ScriptedServer {
  readonly cluster: Cluster;
  readonly requests: readonly Exchange[];
  /** Connections so far. */
  connections(): number;
  /** Connections that are open now. */
  open(): number;
  close(): Promise<void>;
}

/** A server that answers what the test says, in either protocol; with TLS if there are credentials, which are sent in no other way. */
export async function scriptedServer(
  protocol: ScriptedProtocol,
  script: (exchange: Exchange) => void,
  options: { readonly credentials?: Credentials; readonly maxConcurrentStreams?: number } = {},
): Promise<ScriptedServer> {
  const requests: Exchange[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const listener = (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => {
      const exchange = toExchange(requests.length, request, response, Buffer.concat(chunks).toString('utf8'));
      requests.push(exchange);
      script(exchange);
    });
  };
  const settings = { maxConcurrentStreams: options.maxConcurrentStreams ?? 100 };
  const isSecure = options.credentials !== undefined;
  const authority = isSecure ? createCertificateAuthority('scripted') : undefined;
  const pair = authority?.issue({ commonName: 'scripted', usage: 'server', ipAddresses: ['127.0.0.1'] });
  const tls = { cert: pair?.certificate ?? '', key: pair?.key ?? '' };
  const server: Server | Http2Server =
    protocol === 'http1'
      ? isSecure
        ? createHttps(tls, listener)
        : createHttp1(listener)
      : isSecure
        ? createSecureServer({ ...tls, settings }, listener)
        : createHttp2({ settings }, listener);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('sessionError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    cluster:
      authority === undefined
        ? plainCluster(port)
        : {
            ...plainCluster(port, options.credentials),
            server: new URL(`https://127.0.0.1:${port}`),
            tls: () => Promise.resolve({ ca: authority.certificate }),
          },
    requests,
    connections: () => connections,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export function plainCluster(port: number, credentials: Credentials = noCredentials): Cluster {
  return {
    server: new URL(`http://127.0.0.1:${port}`),
    namespace: 'default',
    credentials,
    tls: () => Promise.resolve({}),
    source: 'a scripted server',
  };
}

function toExchange(
  index: number,
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  body: string,
): Exchange {
  const url = new URL(request.url ?? '/', 'http://server');
  // Not `once` of node:events, which rejects at an error: a client that goes away is none, and not every test waits for this.
  const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
  // Both have the same writing API; their overloads differ.
  const answer = response as ServerResponse;
  const exchange: Exchange = {
    index,
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body,
    closed,
    reply(status, content, headers = {}) {
      const text =
        typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
      answer.writeHead(status, { 'content-type': 'application/json', ...headers });
      answer.end(text);
    },
    open(status = 200) {
      answer.writeHead(status, { 'content-type': 'application/json' });
      answer.flushHeaders();
    },
    write: (data) => void answer.write(data),
    events: (...events) => void answer.write(events.map((event) => `${JSON.stringify(event)}\n`).join('')),
    end: (data) => void answer.end(data),
    reset() {
      if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      else response.destroy();
    },
    refuse() {
      if ('stream' in response) response.stream.close(constants.NGHTTP2_REFUSED_STREAM);
    },
    goAway() {
      if ('stream' in response)
        response.stream.session?.goaway(constants.NGHTTP2_NO_ERROR, response.stream.id);
    },
  };
  return exchange;
}
