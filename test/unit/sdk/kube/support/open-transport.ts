import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { createTransport, type Protocol } from '../../../../../src/sdk/kube/transport/create-transport.ts';
import type {
  Transport,
  TransportSettings,
  TransportTarget,
} from '../../../../../src/sdk/kube/transport/transport.ts';
import {
  scriptedServer,
  type Exchange,
  type ScriptedProtocol,
  type ScriptedServer,
} from './scripted-server.ts';

/** Closes what a test has opened, the last first; {@link closeAll} calls them. */
export const cleanups: (() => Promise<unknown> | void)[] = [];

/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export async function serve(
  protocol: ScriptedProtocol,
  script: (exchange: Exchange) => void,
  options: Parameters<typeof scriptedServer>[2] & { readonly settings?: Partial<TransportSettings> } = {},
): Promise<{ server: ScriptedServer; transport: Transport }> {
  const server = await scriptedServer(protocol, script, options);
  const transport = open(server.cluster, protocol, options.settings);
  cleanups.push(() => server.close());
  cleanups.push(() => transport.close());
  return { server, transport };
}

export function open(
  target: TransportTarget,
  protocol: Protocol,
  settings?: Partial<TransportSettings>,
): Transport {
  const transport = createTransport(target, protocol, settings);
  cleanups.push(() => transport.close());
  return transport;
}

export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export async function thrown(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export const target = (url: string, more: Partial<TransportTarget> = {}): TransportTarget => ({
  server: new URL(url),
  tls: () => Promise.resolve({}),
  ...more,
});
