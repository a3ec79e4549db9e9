import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { isEtcdMember } from '../../../src/testing/control-plane/etcd-member.ts';

let server: Server | undefined;

afterEach(async () => {
  const open = server;
  server = undefined;
  if (open !== undefined) await new Promise((resolve) => open.close(resolve));
});

async function answering(body: string): Promise<number> {
  const listening = createServer((_request, response) => response.end(body));
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return (listening.address() as AddressInfo).port;
}

test('an etcd is distinguished from that of another control plane on the same port', async () => {
  const port = await answering(JSON.stringify({ header: {}, members: [{ name: 'ours' }] }));
  expect(await isEtcdMember(port, 'ours')).toBe(true);
  expect(await isEtcdMember(port, 'theirs')).toBe(false);
});

test.each(['404 page not found', ''])('something other than etcd is an error (%j)', async (body) => {
  await expect(isEtcdMember(await answering(body), 'ours')).rejects.toThrow('JSON');
});
