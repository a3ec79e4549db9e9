import { OpSdkError } from '../../../base/errors/index.ts';
import type { ApiCall, Connection } from '../../kube/index.ts';
import { onAbort, type Clock } from '../../net/index.ts';
import type { FencedWrites } from '../metrics/index.ts';

/**
 * Allows writes to start only while this process leads: until the deadline that the elector sets with each renewal, measured by the clock
 * of this process. The deadline is checked immediately before each try of a request is sent. So a process that was stopped, or whose event
 * loop was blocked, does not write when it continues, even before any timer has fired.
 */
export class Fence {
  readonly #clock: Clock;
  readonly #lease: string;
  readonly #count: (outcome: FencedWrites) => void;
  readonly #writes = new Set<AbortController>();
  /** Time until which writes may start, in milliseconds of the clock; undefined before the election. */
  #deadline: number | undefined;
  #closed: Error | undefined;

  /** @param lease `namespace/name`, for errors */
  constructor(lease: string, clock: Clock, count: (outcome: FencedWrites) => void) {
    this.#lease = lease;
    this.#clock = clock;
    this.#count = count;
  }

  /** Time until which writes may start; milliseconds of the clock. */
  get deadline(): number | undefined {
    return this.#deadline;
  }

  /** Allows writes to start until the deadline. */
  open(deadline: number): void {
    this.#deadline = deadline;
  }

  /** Permanently prevents new writes and aborts running ones. Idempotent. */
  close(reason: Error): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    for (const write of this.#writes) {
      this.#count('aborted');
      write.abort(reason);
    }
    this.#writes.clear();
  }

  /** @throws OpSdkError `runtime/not-leader` unless a write may start now */
  check(): void {
    const deadline = this.#deadline;
    if (this.#closed === undefined && deadline !== undefined && this.#clock.now() < deadline) return;
    this.#count('refused');
    throw new OpSdkError(
      {
        code: 'runtime/not-leader',
        message: `the request was not sent: ${this.#why(deadline)}`,
        fix: ['do nothing: the replica that leads does the work'],
      },
      this.#closed === undefined ? undefined : { cause: this.#closed },
    );
  }

  #why(deadline: number | undefined): string {
    if (this.#closed !== undefined) return `this process no longer holds the lease ${this.#lease}`;
    if (deadline === undefined) return `this process does not hold the lease ${this.#lease}`;
    const late = ((this.#clock.now() - deadline) / 1000).toFixed(1);
    return `the lease ${this.#lease} should have been renewed ${late} s ago`;
  }

  /** Returns a connection whose writes are guarded by the fence. Closing it closes the given connection. */
  guard(connection: Connection): Connection {
    return {
      cluster: connection.cluster,
      stream: (call) => connection.stream(call),
      upgrade: (call, protocols) => this.#guardedUpgrade(connection, call, protocols),
      warn: (text) => connection.warn(text),
      close: () => connection.close(),
      request: async (call) => {
        if (call.method === 'GET') return connection.request(call);
        const write = this.#begin(call);
        try {
          return await connection.request(write.call);
        } finally {
          write.end();
        }
      },
    };
  }

  /** Opens a WebSocket, which counts as a write until it is closed: a command changes things, too, and so may whoever answers a port. */
  async #guardedUpgrade(
    connection: Connection,
    call: ApiCall,
    protocols: readonly string[],
  ): ReturnType<Connection['upgrade']> {
    const write = this.#begin(call);
    try {
      const socket = await connection.upgrade(write.call, protocols);
      void socket.closed.then(write.end);
      return socket;
    } catch (error) {
      write.end();
      throw error;
    }
  }

  /**
   * Begins a write, which `close` aborts until `end` is called. Checks before the request is prepared, so that a refused write costs
   * nothing.
   *
   * @throws OpSdkError `runtime/not-leader`
   */
  #begin(call: ApiCall): { readonly call: ApiCall; readonly end: () => void } {
    this.check();
    const write = new AbortController();
    const stopListening = onAbort(call.signal, (reason) => write.abort(reason));
    this.#writes.add(write);
    return {
      call: { ...call, signal: write.signal, beforeSend: () => this.check() },
      end: () => {
        this.#writes.delete(write);
        stopListening();
      },
    };
  }
}
