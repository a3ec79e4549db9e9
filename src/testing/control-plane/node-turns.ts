import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * Turns of processes that bring nodes to a control plane that they share: two at a time would both have a scheduler and a `node-1`. A turn
 * is a connection, so that a process that is killed loses it.
 */
export class NodeTurns implements AsyncDisposable {
  readonly #server: Server;
  /** Connections in the order in which they came; the first one has the turn. */
  readonly #queue: Socket[] = [];

  private constructor() {
    this.#server = createServer((socket) => this.#take(socket));
    // Turns must not keep the process alive that grants them.
    this.#server.unref();
  }

  /** Starts to grant turns, on a free port of 127.0.0.1. */
  static async open(): Promise<NodeTurns> {
    const turns = new NodeTurns();
    turns.#server.listen(0, '127.0.0.1');
    await once(turns.#server, 'listening');
    return turns;
  }

  /** Port for {@link takeTurn}. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #take(socket: Socket): void {
    socket.unref();
    socket.resume();
    // A process that was killed ends its connection with an error.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const hadTurn = this.#queue[0] === socket;
      this.#queue.splice(this.#queue.indexOf(socket), 1);
      if (hadTurn) this.#grant();
    });
    this.#queue.push(socket);
    if (this.#queue.length === 1) this.#grant();
  }

  #grant(): void {
    this.#queue[0]?.write('1');
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#queue) socket.destroy();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Waits for a turn.
 *
 * @param limit milliseconds to wait
 * @returns a function that ends the turn; undefined if it did not come in time
 * @throws Error if nobody grants turns at the port, or with the reason of the signal
 */
export async function takeTurn(
  port: number,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<(() => void) | undefined> {
  signal?.throwIfAborted();
  const socket = connect(port, '127.0.0.1');
  const inTime = AbortSignal.timeout(limit);
  try {
    await once(socket, 'data', { signal: signal === undefined ? inTime : AbortSignal.any([signal, inTime]) });
  } catch (error) {
    socket.destroy();
    signal?.throwIfAborted();
    if (inTime.aborted) return undefined;
    throw error;
  }
  // The end of the audit ends the turn as well; the nodes notice it by their requests.
  socket.on('error', () => undefined);
  socket.unref();
  return () => void socket.destroy();
}
