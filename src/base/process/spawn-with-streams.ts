import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Guardian, GuardedProcess, SpawnRequest } from './guardian.ts';

/** A process that a guardian supervises, with its standard streams. When it ends, its remaining child processes are ended, too. */
export interface StreamedProcess extends GuardedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/**
 * Starts a process whose standard streams are connected to this process, although the guardian is its parent. The streams are Unix sockets,
 * so that the process waits while nobody reads its output.
 *
 * @param folder folder for the socket, which exists only while the process starts; only this user may have access to it
 * @throws Error if the process cannot be started
 */
export async function spawnWithStreams(
  guardian: Pick<Guardian, 'spawn'>,
  request: Omit<SpawnRequest, 'streams' | 'logFile' | 'outputFile'>,
  folder: string,
): Promise<StreamedProcess> {
  const streams = join(folder, `${randomBytes(6).toString('hex')}.sock`);
  const sockets: Promise<readonly [number, Socket]>[] = [];
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) =>
    sockets.push(numbered(socket)),
  );
  try {
    server.listen(streams);
    await once(server, 'listening');
    const running = await guardian.spawn({ ...request, streams });
    while (sockets.length < 3) await once(server, 'connection');
    const byNumber = new Map(await Promise.all(sockets));
    const [stdin, stdout, stderr] = [0, 1, 2].map((number) => byNumber.get(number));
    if (stdin === undefined || stdout === undefined || stderr === undefined)
      throw new TypeError('the guardian connects each stream once');
    // The other directions of the sockets are not used.
    stdin.resume();
    for (const output of [stdout, stderr]) output.end();
    return Object.assign(running, { stdin, stdout, stderr });
  } catch (error) {
    for (const socket of sockets) void socket.then(([, each]) => each.destroy());
    throw error;
  } finally {
    server.close();
  }
}

/** Reads the number of a stream, the first byte on its connection. */
async function numbered(socket: Socket): Promise<readonly [number, Socket]> {
  // A stream that breaks while nobody uses it must not end this process.
  socket.on('error', () => undefined);
  let first: unknown = null;
  while (first === null) {
    await once(socket, 'readable');
    first = socket.read(1);
  }
  return [(first as Buffer)[0] ?? -1, socket];
}
