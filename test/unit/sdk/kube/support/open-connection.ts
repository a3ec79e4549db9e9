import {
  openConnection,
  type Connection,
  type ConnectionOptions,
  type Credentials,
  type RequestObservation,
} from '../../../../../src/sdk/kube/index.ts';
import { scriptedServer, type Exchange, type ScriptedServer } from './scripted-server.ts';

/** Closes what a test has opened, the last first; {@link closeAll} calls them. */
export const cleanups: (() => Promise<unknown>)[] = [];

/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export async function serve(
  script: (exchange: Exchange) => void,
  options: ConnectionOptions = {},
  credentials?: Credentials,
): Promise<{
  server: ScriptedServer;
  connection: Connection;
  waits: number[];
  observed: RequestObservation[];
  warnings: string[];
}> {
  const server = await scriptedServer('http2', script, credentials === undefined ? {} : { credentials });
  const waits: number[] = [];
  const observed: RequestObservation[] = [];
  const warnings: string[] = [];
  const connection = openConnection(server.cluster, {
    protocol: 'http2',
    wait: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
    observe: (observation) => observed.push(observation),
    onWarning: (text) => warnings.push(text),
    ...options,
  });
  cleanups.push(() => server.close());
  cleanups.push(() => connection.close());
  return { server, connection, waits, observed, warnings };
}
