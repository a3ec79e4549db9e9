import { pause, systemClock, type Clock } from '../../sdk/net/index.ts';
import type { ProcessExit } from '../../base/process/guardian.ts';

export interface OperatorProcess {
  /** Resolves when the process has ended. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** Events of the operator's process. */
interface RestarterEvents {
  /** Called when the operator's process has ended without a request to end. */
  readonly onEnded: (exit: ProcessExit) => void;
  /** Called when the operator's process was asked to end, and is still running after a short time. */
  readonly onSlow: () => void;
  /** Called when the operator's process did not end within the grace period. It is killed then. */
  readonly onKilled: () => void;
}

interface RestarterOptions extends RestarterEvents {
  readonly start: () => Promise<OperatorProcess>;
  /** Milliseconds from SIGTERM to SIGKILL. */
  readonly grace: number;
  readonly clock?: Clock;
}

/** Milliseconds after SIGTERM at which a message says that the operator is still stopping. */
const slowAfter = 2_000;

/**
 * Runs one operator at a time. The next operator starts only after the previous one has ended. So two operators never write to the same
 * cluster at once, and the ports are free. Calls are carried out in the order in which they were made.
 */
export class OperatorRestarter {
  readonly #options: RestarterOptions;
  readonly #clock: Clock;
  #current: OperatorProcess | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: RestarterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** True if an operator has been started, has not ended, and has not been asked to end. */
  get running(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Ends the running operator, if any, calls `between`, and starts the next operator.
   * @param between work that must not happen while an operator runs, such as replacing the operator's files
   * @returns false if nothing was started because `close` was called
   * @throws the error of `between` or of the start; in this case, no operator is running
   */
  restart(between: () => Promise<void> = () => Promise.resolve()): Promise<boolean> {
    return this.#inOrder(async () => {
      await this.#end();
      if (this.#closed) return false;
      await between();
      const started = await this.#options.start();
      this.#current = started;
      void started.exited.then((exit) => this.#onExit(started, exit));
      return true;
    });
  }

  /** Ends the operator. Later calls of `restart` start no operator. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#inOrder(() => this.#end());
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #end(): Promise<void> {
    const ending = this.#current;
    if (ending === undefined) return;
    // From here on, the end of the process is expected and not reported by `onEnded`.
    this.#current = undefined;
    const { grace, onSlow, onKilled } = this.#options;
    ending.kill('SIGTERM');
    const slow = Math.min(slowAfter, grace);
    if (await this.#endsWithin(ending, slow)) return;
    if (grace > slow) onSlow();
    if (grace > slow && (await this.#endsWithin(ending, grace - slow))) return;
    onKilled();
    ending.kill('SIGKILL');
    await ending.exited;
  }

  async #endsWithin({ exited }: OperatorProcess, milliseconds: number): Promise<boolean> {
    const over = new AbortController();
    const late = pause(this.#clock, milliseconds, over.signal).then(() => false);
    const ended = await Promise.race([exited.then(() => true), late]);
    over.abort();
    return ended;
  }

  #onExit(process: OperatorProcess, exit: ProcessExit): void {
    if (this.#current !== process) return;
    this.#current = undefined;
    this.#options.onEnded(exit);
  }
}
