import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server for files on loopback. */
export interface FileServer {
  readonly url: string;
  /** Paths that were requested, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Serves files by path, also those that are added later; a path that is not there is a 404. */
export async function serveFiles(files: Readonly<Record<string, string | Uint8Array>>): Promise<FileServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const content = files[request.url ?? ''];
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
