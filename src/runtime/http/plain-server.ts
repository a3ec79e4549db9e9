import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpSdkError } from '../../errors/index.ts';
import { messageOf } from '../message-of.ts';
import type { ListenAddress } from './listen-address.ts';

/** What a request is answered with. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Default: plain text. */
  readonly contentType?: string;
}

/** Answers GET and HEAD requests of one path; undefined: 404. */
export type Answerer = (url: URL) => Promise<Answer | undefined>;

/** A running server. */
export interface PlainServer {
  /** The port it listens on, also where any free one was asked for. */
  readonly port: number;
  close(): Promise<void>;
}

/** What a server is for. */
export interface ServerPurpose {
  /** Such as `health probes`. */
  readonly name: string;
  /** The flag of operators that chooses its address. */
  readonly flag: string;
}

/**
 * Serves small GET requests over plain HTTP.
 *
 * @param purpose what it serves, for errors, and the flag that chooses the address
 * @param report is called when a connection cannot be accepted, as when no file descriptors are left; the server continues
 * @throws OpSdkError `runtime/cannot-listen`
 */
export async function servePlain(
  purpose: ServerPurpose,
  address: ListenAddress,
  answer: Answerer,
  report: (error: Error) => void,
): Promise<PlainServer> {
  const server = createServer((request, response) => {
    const send = ({ status, body, contentType = 'text/plain; charset=utf-8' }: Answer): void => {
      response.writeHead(status, {
        'content-type': contentType,
        'content-length': Buffer.byteLength(body),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
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
    answer(url).then(
      (found) => send(found ?? { status: 404, body: 'not found\n' }),
      (error: unknown) => send({ status: 500, body: `internal server error: ${messageOf(error)}\n` }),
    );
  });
  await listen(server, purpose, address);
  server.on('error', report);
  return {
    port: (server.address() as AddressInfo).port,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server, { name, flag }: ServerPurpose, address: ListenAddress): Promise<void> {
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
              `choose another address with ${flag}, such as ${flag}=:9090; \`op-sdk run\` takes it after --`,
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
