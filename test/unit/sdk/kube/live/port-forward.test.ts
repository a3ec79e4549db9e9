// Forwarded ports at a server that counts what it could send.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { ApiClient, messageOn, openConnection, portChannels } from '../../../../../src/sdk/kube/index.ts';
import { plainCluster } from '../support/scripted-server.ts';

const pod = { name: 'web', namespace: 'ns' };
const { data, error } = portChannels;
const part = Buffer.alloc(32 * 1024, 'x');

const send = (webSocket: WebSocket, channel: number, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => webSocket.send(messageOn(channel, bytes), { binary: true }, () => resolve()));

/** Serves the port 80 of a Pod. */
async function serve(answer: (webSocket: WebSocket) => Promise<void>) {
  const webSockets = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  webSockets.on('connection', (webSocket) => {
    for (const channel of [data, error]) void send(webSocket, channel, Buffer.from([80, 0]));
    void answer(webSocket);
  });
  await once(webSockets, 'listening');
  const connection = openConnection(plainCluster((webSockets.address() as AddressInfo).port));
  return {
    client: new ApiClient(connection, 'test'),
    async [Symbol.asyncDispose]() {
      await connection.close();
      for (const webSocket of webSockets.clients) webSocket.terminate();
      webSockets.close();
    },
  };
}

test('a slow reader gets all, and slows the server down', { timeout: 120_000 }, async () => {
  const total = 64 * 1024 * 1024;
  let [sent, read, furthest] = [0, 0, 0];
  await using setup = await serve(async (webSocket) => {
    for (; sent < total; sent += part.length) await send(webSocket, data, part);
    webSocket.close(1000);
  });
  const port = await setup.client.portForward(pod, 80);
  for await (const chunk of port as AsyncIterable<Buffer>) {
    read += chunk.length;
    furthest = Math.max(furthest, sent - read);
    await new Promise(setImmediate);
  }
  expect(read).toBe(total);
  // Buffers of sockets.
  expect(furthest).toBeLessThan(24 * 1024 * 1024);
});

test('a message of the other channel is an error that says which port of which Pod', async () => {
  await using setup = await serve(async (webSocket) => {
    await send(webSocket, error, Buffer.from('connection refused\n'));
    webSocket.close(1000);
  });
  const port = await setup.client.portForward(pod, 80);
  const [failure] = (await once(port, 'error')) as [Error];
  expect(failure).toMatchObject({
    code: 'kube/connection-lost',
    findings: [{ message: 'create pods/portforward ns/web: connection refused' }],
  });
});

test('a connection that breaks is an error', async () => {
  await using setup = await serve(async (webSocket) => {
    await send(webSocket, data, part);
    webSocket.terminate();
  });
  const port = await setup.client.portForward(pod, 80);
  const read = async (): Promise<void> => {
    for await (const _ of port as AsyncIterable<Buffer>);
  };
  await expect(read()).rejects.toMatchObject({ code: 'kube/connection-lost' });
});
