import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';
import { messageOf, OpSdkError } from '../../../base/errors/index.ts';
import type { ListenAddress } from '../../net/index.ts';

/** Answer to a request. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Default: plain text. */
  readonly contentType?: string;
  /** Beside those that every answer has. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The part of a request, beside the URL, that an answer may depend on. */
export type ServedRequest = Pick<IncomingMessage, 'method' | 'headers'>;

/** Answers GET and HEAD requests of one path; undefined: 404. */
export type Answerer = (url: URL, request: ServedRequest) => Promise<Answer | undefined>;

/** A running server. */
export interface RunningServer {
  /** The port it listens on, also where any free one was asked for. */
  readonly port: number;
  /** @param until what those that are being answered may wait for: nothing new is taken meanwhile. Default: they are cut off */
  readonly close: (until?: Promise<unknown>) => Promise<void>;
}

/** Purpose of a server. */
export interface ServerPurpose {
  /** Such as `health probes`. */
  readonly name: string;
  /** The flag of operators that chooses its address. */
  readonly flag: string;
  /** A value of it. Default: `:9090`. */
  readonly example?: string;
}

/** Handles the requests of a server of node:http, node:https or node:http2. */
export type RequestHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Small answers to GET and HEAD. */
export function handlerOf(answer: Answerer): RequestHandler {
  return (request, response) => {
    const send = ({ status, body, contentType = 'text/plain; charset=utf-8', headers }: Answer): void => {
      // Both have this method; their types have no form in common.
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
 * Lets a server listen.
 *
 * @param purpose what it serves, for errors, and the flag that chooses the address
 * @param report is called when a connection cannot be accepted, as when no file descriptors are left; the server continues
 * @throws OpSdkError `runtime/cannot-listen`
 */
export async function listen(
  server: Server,
  purpose: ServerPurpose,
  address: ListenAddress,
  report: (error: Error) => void,
): Promise<RunningServer> {
  // Those of clients that keep them, or have never said anything, would keep the server from closing.
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
