import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { Pod, Service } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { AddressBlock } from '../../../../../src/testing/node/processes/address-block.ts';
import { ServiceProxies } from '../../../../../src/testing/node/processes/service-proxies.ts';

/** Starts the proxies of a Service `web` whose only Pod is a server. @returns the address of the Service */
async function setUp(server: Server, targetPort: number | string): Promise<{ host: string; port: number }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const block = await AddressBlock.take();
  const pod = {
    metadata: { name: 'web', namespace: 'default', labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', ports: [{ name: 'http', containerPort: port }] }] },
    status: { podIP: '127.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] },
  } as unknown as Pod;
  const errors: unknown[] = [];
  const proxies = new ServiceProxies({ block, pods: () => [pod], onError: (error) => errors.push(error) });
  // The port of the Pod is free at the address of the Service.
  const service = {
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { app: 'web' }, clusterIP: '10.0.0.1', ports: [{ port, targetPort }] },
  } as unknown as Service;
  proxies.take(undefined, service);
  onTestFinished(async () => {
    await proxies.close();
    server.close();
    await block.close();
    expect(errors).toEqual([]);
  });
  return { host: block.serviceAddress('default', 'web'), port };
}

test('a slow reader gets all of an answer whose sender has closed', async () => {
  const answer = Buffer.alloc(4 * 1024 * 1024, 'x');
  const address = await setUp(
    createServer((socket) => socket.end(answer)),
    'http',
  );
  const client = connect(address);
  await once(client, 'readable');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await buffer(client)).length).toBe(answer.length);
});

test('a client that has sent all is still answered', async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let size = 0;
    socket.on('data', (data) => (size += data.length)).on('end', () => socket.end(`got ${size}`));
  });
  const client = connect({ ...(await setUp(server, 'http')), allowHalfOpen: true });
  client.end('abc');
  expect(String(await buffer(client))).toBe('got 3');
});

test('a Pod without the named port refuses connections', async () => {
  const client = connect(await setUp(createServer(), 'metrics'));
  const [error] = (await once(client, 'error').catch((cause: unknown) => [cause])) as [Error];
  expect(error.message).toContain('ECONNRESET');
});
