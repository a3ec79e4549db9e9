import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { answersAt } from '../../../src/cluster/webhooks/other-configurations.ts';

test('answersAt says whether somebody takes connections, and ends with its signal', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await answersAt('127.0.0.1', port)).toBe(true);
  const reason = new Error('ended');
  await expect(answersAt('127.0.0.1', port, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const asked = answersAt('127.0.0.1', port, controller.signal);
  controller.abort(reason);
  await expect(asked).rejects.toBe(reason);
  server.close();
  await once(server, 'close');
  expect(await answersAt('127.0.0.1', port)).toBe(false);
});
