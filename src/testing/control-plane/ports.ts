import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Range of ports for servers. It is below the ports that Linux (from 32768) and macOS (from 49152) assign to outgoing connections.
 * Therefore a client that keeps reconnecting to a killed API server can never be given the API server's own port.
 */
const range = { first: 12_000, last: 29_999 } as const;

/** Returns a TCP port of 127.0.0.1 that is free now. Another process may take the port at any time. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(range.first, range.last + 1);
    if ((await listenError({ host: '127.0.0.1', port })) === undefined) return port;
  }
  throw new Error(`no free port between ${range.first} and ${range.last} on 127.0.0.1`);
}

/** Tries to listen at an address. @returns the error if listening fails, such as EADDRINUSE; undefined if the address is free */
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
