import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request that a test server got, with its whole body. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Buffer | undefined;
  /** Bytes of the body after which the connection is closed. */
  readonly breakAfter?: number | undefined;
}

/** Server of HTTP on 127.0.0.1, which ends with its test. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Answers for the next requests in place of the server's own. `hang` never answers. */
  readonly failures: (Answer | 'close' | 'hang')[];
}

/** Starts a server. @param answer answers a request that no entry of `failures` is for */
export async function startServer(
  answer: (request: SeenRequest) => Answer | Promise<Answer>,
): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const failures: (Answer | 'close' | 'hang')[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The client has gone in the middle of its request.
      return;
    }
    const seen: SeenRequest = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', `http://${request.headers.host}`),
      headers: request.headers,
      body: Buffer.concat(chunks),
    };
    requests.push(seen);
    const failure = failures.shift();
    if (failure === 'hang') return;
    if (failure === 'close') {
      request.socket.destroy();
      return;
    }
    const { status, headers = {}, body = '', breakAfter } = failure ?? (await answer(seen));
    const content = Buffer.from(body);
    response.writeHead(status, { 'content-length': content.length, ...headers });
    if (breakAfter === undefined) response.end(seen.method === 'HEAD' ? undefined : content);
    else response.write(content.subarray(0, breakAfter), () => request.socket.destroy());
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failures,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
