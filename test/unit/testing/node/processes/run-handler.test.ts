import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  portNumber,
  runHandler,
  type HandlerTarget,
} from '../../../../../src/testing/node/processes/run-handler.ts';

const target: HandlerTarget = {
  container: { name: 'app', ports: [{ name: 'http', containerPort: 80 }] },
  address: '127.0.0.1',
  execute: () => Promise.reject(new Error('the guardian process has ended')),
};

/** Starts a server that writes a byte of a status line again and again. */
async function tricklingServer(): Promise<number> {
  const server: Server = createServer((socket) => {
    const timer = setInterval(() => socket.write('H'), 20);
    socket.on('error', () => undefined).on('close', () => clearInterval(timer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a port is a number, or the name of a port of the container', () => {
  expect([
    portNumber(8080, undefined),
    portNumber('http', target.container.ports),
    portNumber('none', []),
  ]).toEqual([8080, 80, undefined]);
});

test.each([
  ['httpGet', { httpGet: { port: 'none' } }, `couldn't find port: "none" in container "app"`],
  ['tcpSocket', { tcpSocket: { port: 'none' } }, `couldn't find port: "none" in container "app"`],
  ['a header', { httpGet: { port: 80, httpHeaders: [{ name: 'X-A', value: 'a\nb' }] } }, 'X-A'],
  ['a host', { httpGet: { port: 80, host: 'a b' } }, 'Invalid URL'],
  ['exec', { exec: { command: ['true'] } }, 'the guardian process has ended'],
])('what cannot be asked is a failure, not an error: %s', async (_name, handler, reason) => {
  expect(await runHandler(handler, target, 1000)).toContain(reason);
});

test('a server that trickles is given up', async () => {
  const port = await tricklingServer();
  const reason = await runHandler({ httpGet: { port, path: '/' } }, target, 200);
  expect(reason).toMatch(/^Get "http:\/\/127\.0\.0\.1:\d+\/": (?:context deadline exceeded|Parse Error)/);
});
