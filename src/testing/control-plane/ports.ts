import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux (32768) and macOS (49152) hand out for outgoing connections: a client that keeps
 * reconnecting to a killed API server can then never be given the API server's own port.
 */
const range = { first: 12_000, last: 29_999 } as const;

/** Returns a free TCP port of 127.0.0.1; another process may take it at any time. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(range.first, range.last + 1);
    if ((await listenError({ host: '127.0.0.1', port })) === undefined) return port;
  }
  throw new Error(`no free port between ${range.first} and ${range.last} on 127.0.0.1`);
}

/** Tries to listen at an address. @returns the error, such as EADDRINUSE; undefined if the address is free */
export function listenError(address: {
  readonly host?: string | undefined;
  readonly port: number;
}): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ ...address, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
