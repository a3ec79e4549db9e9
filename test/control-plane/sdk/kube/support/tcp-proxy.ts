import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Cluster } from '../../../../../src/sdk/kube/index.ts';

/** A way to the API server that can be broken; it sees TLS records, no more. */
export interface TcpProxy {
  /** The cluster, reached through this proxy. */
  readonly cluster: Cluster;
  /** Connections so far. */
  connections(): number;
  /** Connections that are open now. */
  open(): number;
  /** Bytes from the server to the client so far. */
  received(): number;
  /** Passes nothing more on, in either direction, on the connections that are open now, and does not close them: a half-open connection. */
  freeze(): void;
  /** Reads nothing more from the server on all connections until `resume`. */
  pause(): void;
  resume(): void;
  /** Breaks all connections. */
  cut(): void;
  /** Breaks each connection that is open now in the middle of what the server sends next: after this number of bytes. */
  cutAfter(bytes: number): void;
  /** Refuses new connections, or takes them again. */
  refuse(refused: boolean): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  frozen: boolean;
  bytesUntilCut: number;
}

/** @param cluster its address is where the proxy connects to */
export async function tcpProxy(cluster: Cluster): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let connections = 0;
  let received = 0;
  let refused = false;
  let paused = false;
  const end = (pair: Pair): void => {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  };
  const listener = createServer((client) => {
    if (refused) {
      client.resetAndDestroy();
      return;
    }
    connections += 1;
    const server = connect({ host: cluster.server.hostname, port: Number(cluster.server.port) });
    const pair: Pair = { client, server, frozen: false, bytesUntilCut: Infinity };
    pairs.add(pair);
    if (paused) server.pause();
    client.on('data', (chunk: Buffer) => {
      if (!pair.frozen) server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => {
      if (pair.frozen) return;
      received += chunk.length;
      const rest = pair.bytesUntilCut - chunk.length;
      if (rest >= 0) {
        pair.bytesUntilCut = rest;
        client.write(chunk);
        return;
      }
      client.write(chunk.subarray(0, pair.bytesUntilCut), () => end(pair));
    });
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (!pair.frozen) end(pair);
        else if (socket === client) end(pair);
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    cluster: { ...cluster, tls: () => cluster.tls(), server: new URL(`https://127.0.0.1:${port}`) },
    connections: () => connections,
    open: () => pairs.size,
    received: () => received,
    freeze() {
      for (const pair of pairs) pair.frozen = true;
    },
    pause() {
      paused = true;
      for (const { server } of pairs) server.pause();
    },
    resume() {
      paused = false;
      for (const { server } of pairs) server.resume();
    },
    cut() {
      for (const pair of pairs) end(pair);
    },
    cutAfter(bytes) {
      for (const pair of pairs) pair.bytesUntilCut = bytes;
    },
    refuse(now) {
      refused = now;
    },
    async close() {
      for (const pair of pairs) end(pair);
      listener.close();
      await once(listener, 'close');
    },
  };
}
