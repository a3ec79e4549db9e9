import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';
import { messageOf, OpSdkError } from '../../../base/errors/index.ts';
import type { ListenAddress } from '../../net/index.ts';

/** Answer to a request. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Content type of the body. Default: plain text. */
  readonly contentType?: string;
  /** Headers to add to this answer. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parts of a request, in addition to the URL, that may determine the answer. */
export type ServedRequest = Pick<IncomingMessage, 'method' | 'headers'>;

/** Answers GET and HEAD requests; returns undefined for an unknown path, which results in status 404. */
export type Answerer = (url: URL, request: ServedRequest) => Promise<Answer | undefined>;

/** A running server. */
export interface RunningServer {
  /** The port on which the server listens; the actual port if any free port was requested. */
  readonly port: number;
  /**
   * Closes the server, which accepts no new requests from then on.
   *
   * @param until promise to wait for before running requests are aborted. Default: they are aborted immediately
   */
  readonly close: (until?: Promise<unknown>) => Promise<void>;
}

/** Purpose of a server. */
export interface ServerPurpose {
  /** Name of the server in messages, such as `health probes`. */
  readonly name: string;
  /** The operator flag that sets the address of the server. */
  readonly flag: string;
  /** An example value of the flag. Default: `:9090`. */
  readonly example?: string;
}

/** Handles the requests of a server of node:http, node:https or node:http2. */
export type RequestHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Returns a handler that answers GET and HEAD requests with small bodies. */
export function handlerOf(answer: Answerer): RequestHandler {
  return (request, response) => {
    const send = ({ status, body, contentType = 'text/plain; charset=utf-8', headers }: Answer): void => {
      // Both response types have `writeHead`, but TypeScript finds no common type.
      (response as ServerResponse).writeHead(status, {
        'content-type': contentType,
        'content-length': Buffer.byteLength(body),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        ...headers,
      });
      if (request.method === 'HEAD') response.end();
      else response.end(body);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      send({ status: 405, body: 'method not allowed\n' });
      return;
    }
    const url = URL.canParse(request.url ?? '', 'http://server')
      ? new URL(request.url ?? '', 'http://server')
      : undefined;
    if (url === undefined) {
      send({ status: 400, body: 'bad request\n' });
      return;
    }
    answer(url, request).then(
      (found) => send(found ?? { status: 404, body: 'not found\n' }),
      (error: unknown) => send({ status: 500, body: `internal server error: ${messageOf(error)}\n` }),
    );
  };
}

/**
 * Starts listening.
 *
 * @param purpose the name of the server for errors, and the flag that sets the address
 * @param report called if a connection cannot be accepted, for example because file descriptors have run out; the server continues
 * @throws OpSdkError `runtime/cannot-listen`
 */
export async function listen(
  server: Server,
  purpose: ServerPurpose,
  address: ListenAddress,
  report: (error: Error) => void,
): Promise<RunningServer> {
  // Set of open connections, to destroy them on close: idle keep-alive connections, and connections without any request, would prevent the
  // server from closing.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await bind(server, purpose, address);
  server.on('error', report);
  return {
    port: (server.address() as AddressInfo).port,
    close: async (until) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await until;
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function bind(
  server: Server,
  { name, flag, example = ':9090' }: ServerPurpose,
  address: ListenAddress,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException): void => {
      const { host = '', port } = address;
      const at = `${host.includes(':') ? `[${host}]` : host}:${port}`;
      reject(
        new OpSdkError(
          {
            code: 'runtime/cannot-listen',
            message: `cannot serve ${name} on ${at}: ${cause.code ?? cause.message}`,
            fix: [
              ...(cause.code === 'EADDRINUSE' ? ['stop the other process that listens there'] : []),
              `choose another address with ${flag}, such as ${flag}=${example}; \`op-sdk run\` takes it after --`,
            ],
          },
          { cause },
        ),
      );
    };
    server.once('error', failed);
    server.listen({ ...address }, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

/** Serves small GET requests over plain HTTP. Parameters and errors are those of `listen`. */
export async function servePlain(
  purpose: ServerPurpose,
  address: ListenAddress,
  answer: Answerer,
  report: (error: Error) => void,
): Promise<RunningServer> {
  return listen(createServer(handlerOf(answer)), purpose, address, report);
}

/** Result of a health check that passes although a part is degraded. */
export interface HealthReport {
  /** The part that is degraded while the other parts work. */
  readonly degraded: string;
}

/**
 * Checks the health of a part. Returns nothing if all is well, and a {@link HealthReport} if a part is degraded; throws the reason if the
 * check fails.
 */
export type HealthCheck = () => HealthReport | undefined | void | Promise<HealthReport | undefined | void>;

interface Result {
  readonly failure?: string;
  readonly degraded?: string;
}

/**
 * The checks of `/healthz` and `/readyz`, by name. The answers are those of a Kubernetes component: `ok`, or status 500 and the list of
 * checks. `?verbose` always returns the list, where `[!]` marks a degraded check; `?exclude=name` omits a check; `/healthz/name` runs a
 * single check.
 */
export class HealthChecks {
  readonly #checks = { healthz: new Map<string, HealthCheck>(), readyz: new Map<string, HealthCheck>() };

  /** @throws TypeError if a check of that name exists */
  add(kind: 'healthz' | 'readyz', name: string, check: HealthCheck): void {
    if (!/^[\w.-]+$/.test(name))
      throw new TypeError(
        `health check name: expected letters, digits, -, _ and . (it is part of a URL), got ${JSON.stringify(name)}`,
      );
    if (this.#checks[kind].has(name)) throw new TypeError(`duplicate ${kind} check ${JSON.stringify(name)}`);
    this.#checks[kind].set(name, check);
  }

  readonly answer: Answerer = async (url) => {
    const [, kind, name, ...rest] = url.pathname.split('/');
    if ((kind !== 'healthz' && kind !== 'readyz') || rest.length > 0) return undefined;
    const checks = this.#checks[kind];
    if (name === undefined || name === '') return answerAll(kind, checks, url.searchParams);
    const check = checks.get(name);
    if (check === undefined) return undefined;
    const { failure, degraded } = await run(check);
    if (failure !== undefined) return { status: 500, body: `internal server error: ${failure}\n` };
    return { status: 200, body: degraded === undefined ? 'ok' : `degraded: ${degraded}\n` };
  };
}

async function answerAll(
  kind: string,
  checks: ReadonlyMap<string, HealthCheck>,
  query: URLSearchParams,
): Promise<Answer> {
  const excluded = new Set(query.getAll('exclude'));
  const included = [...checks].filter(([name]) => !excluded.has(name));
  const results = await Promise.all(included.map(async ([name, check]) => ({ name, ...(await run(check)) })));
  const lines = results.map(({ name, failure, degraded }) => {
    if (failure !== undefined) return `[-]${name} failed: ${failure}`;
    return degraded === undefined ? `[+]${name} ok` : `[!]${name} degraded: ${degraded}`;
  });
  const healthy = results.every(({ failure }) => failure === undefined);
  if (healthy && !query.has('verbose')) return { status: 200, body: 'ok' };
  lines.push(`${kind} check ${healthy ? 'passed' : 'failed'}`);
  return { status: healthy ? 200 : 500, body: `${lines.join('\n')}\n` };
}

async function run(check: HealthCheck): Promise<Result> {
  try {
    return (await check()) ?? {};
  } catch (error) {
    return { failure: messageOf(error) };
  }
}
