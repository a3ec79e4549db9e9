// Names are looked up by a resolver that leads everywhere to this machine, as somebody's DNS server may.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, test } from 'vitest';
import { createWire } from '../../../../src/sdk/net/wire.ts';

const { lookup } = dns;
const answer = (
  _name: string,
  _options: object,
  callback: (error: null, addresses: object[]) => void,
): void => callback(null, [{ address: '127.0.0.1', family: 4 }]);
afterEach(() => useLookup(lookup));

/** Importers of the module see what it exports, also those that were loaded before. */
function useLookup(resolver: typeof lookup): void {
  dns.lookup = resolver;
  syncBuiltinESMExports();
}

test('a name that leads where a request may not go is refused before anything is sent', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  useLookup(answer as typeof lookup);
  const wire = createWire({ env: {}, ca: undefined, connectTimeout: 5_000, idleTimeout: 5_000 });
  try {
    const request = {
      method: 'GET',
      url: new URL(`http://storage.example.com:${(server.address() as AddressInfo).port}/`),
      headers: {},
      signal: new AbortController().signal,
    };
    const refused = wire.send({ ...request, allowed: new Set(['public', 'private'] as const) });
    await expect(refused).rejects.toMatchObject({ kind: 'unsafe-address' });
    expect(requests).toBe(0);
    const response = await wire.send({ ...request, allowed: new Set(['loopback'] as const) });
    response.discard();
    expect(response.status).toBe(200);
  } finally {
    wire.close();
    server.close();
    server.closeAllConnections();
  }
});
