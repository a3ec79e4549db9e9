// Work that a reconcile starts and that outlives it runs in the async context of the manager, not of that reconcile.
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { noCredentials, type Client } from '../../../../src/sdk/kube/index.ts';
import { EventWriter } from '../../../../src/sdk/runtime/events/event-writer.ts';
import { eventSource } from '../../../../src/sdk/runtime/events/index.ts';
import { recorderFor } from '../../../../src/sdk/runtime/events/event-recorder.ts';
import { connectCluster } from '../../../../src/sdk/runtime/manager/clusters.ts';
import { Site, site } from './kinds.ts';
import { memoryLog } from './memory-log.ts';

const storage = new AsyncLocalStorage<string>();

test('a watch', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.statusCode = 500;
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const access = await connectCluster({
    cluster: {
      source: 'test',
      server: new URL(`http://127.0.0.1:${port}`),
      tls: () => Promise.resolve({}),
      proxy: undefined,
      credentials: noCredentials,
      namespace: 'default',
    },
    kubeconfig: undefined,
    name: 'test',
    log: memoryLog().log,
  });
  const stop = new AbortController();
  const seen: unknown[] = [];
  const watching = storage.run('reconcile', () =>
    access.reflect(
      { resource: Site, namespace: undefined },
      { replace: () => undefined, apply: () => undefined },
      ({ error }) => {
        if (error === undefined) return;
        seen.push(storage.getStore());
        stop.abort();
      },
      stop.signal,
    ),
  );
  await watching;
  expect(seen).toEqual([undefined]);
  await access.close();
  server.closeAllConnections();
  server.close();
});

test('the writer of Events', async () => {
  const seen: unknown[] = [];
  const create = async (): Promise<never> => {
    seen.push(storage.getStore());
    throw new Error('not written');
  };
  const writer = new EventWriter({ client: { create } as unknown as Client });
  const { log } = memoryLog();
  storage.run('reconcile', () =>
    recorderFor(writer, eventSource('test', 'sites', log), site('a')).normal('Seen', 'once'),
  );
  await writer.close(1);
  expect(seen).toEqual([undefined]);
});
