// Logs with slow readers, on servers that count what they could send.
import { once } from 'node:events';
import { createServer as createHttp1, type Server } from 'node:http';
import { createServer as createHttp2, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ApiClient, noCredentials, openConnection } from '../../../../../src/sdk/kube/index.ts';

const pod = { name: 'web', namespace: 'ns' };
const line = `${'x'.repeat(1023)}\n`;
const part = line.repeat(64);

/** Writes as much as the other side takes. */
async function pour(response: Writable, total: number, sent: (bytes: number) => void): Promise<void> {
  let rest = total;
  while (rest > 0 && !response.destroyed) {
    const isTaken = response.write(part);
    rest -= part.length;
    sent(total - rest);
    if (!isTaken && !response.destroyed) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

async function setUp(protocol: 'http1' | 'http2', answer: (response: Writable) => void) {
  const server: Server | Http2Server =
    protocol === 'http1'
      ? createHttp1((_, response) => answer(response))
      : createHttp2((_, response) => answer(response.stream));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = openConnection(
    {
      namespace: 'ns',
      source: 'the test',
      server: new URL(`http://127.0.0.1:${port}`),
      credentials: noCredentials,
      tls: async () => ({}),
      proxy: undefined,
    },
    { protocol },
  );
  return {
    client: new ApiClient(connection, 'test'),
    async [Symbol.asyncDispose]() {
      await connection.close();
      server.close();
    },
  };
}

test.each(['http1', 'http2'] as const)('a slow reader slows the server down: %s', async (protocol) => {
  const total = 64 * 1024 * 1024;
  let sent = 0;
  await using setup = await setUp(
    protocol,
    (response) => void pour(response, total, (bytes) => (sent = bytes)),
  );
  let read = 0;
  for await (const text of setup.client.logs(pod)) {
    if (read === 0) {
      await sleep(300);
      // Windows and buffers of sockets.
      expect(sent).toBeLessThan(24 * 1024 * 1024);
      expect(text).toBe(line.slice(0, -1));
    }
    read += text.length + 1;
  }
  expect(read).toBe(total);
});

test.each(['http1', 'http2'] as const)('a loop that is left closes the stream: %s', async (protocol) => {
  const closed: Promise<unknown>[] = [];
  await using setup = await setUp(protocol, (response) => {
    closed.push(once(response, 'close'));
    response.write('one\ntwo\n');
  });
  for await (const text of setup.client.logs(pod, { follow: true })) {
    expect(text).toBe('one');
    break;
  }
  await closed[0];
});

test('lines are whole, whatever the chunks are', async () => {
  const text = Buffer.from('é1\n\n2é\r\nlast');
  await using setup = await setUp('http1', (response) => {
    void (async () => {
      for (const byte of text) {
        response.write(Buffer.from([byte]));
        await sleep(1);
      }
      response.end();
    })();
  });
  const lines: string[] = [];
  for await (const each of setup.client.logs(pod)) lines.push(each);
  expect(lines).toEqual(['é1', '', '2é\r', 'last']);
});

test('a line that never ends comes in parts', async () => {
  const total = 3 * 1024 * 1024;
  await using setup = await setUp('http1', (response) => response.end('x'.repeat(total)));
  const lengths: number[] = [];
  for await (const each of setup.client.logs(pod)) lengths.push(each.length);
  expect(lengths.length).toBeGreaterThan(1);
  expect(lengths.reduce((sum, each) => sum + each, 0)).toBe(total);
});
