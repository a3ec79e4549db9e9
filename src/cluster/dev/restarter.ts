import { pause, systemClock, type Clock } from '../../sdk/net/index.ts';
import type { ProcessExit } from '../../base/process/guardian.ts';

export interface OperatorProcess {
  /** Resolves when it has ended; never rejects. */
  readonly exited: Promise<ProcessExit>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** Events of the operator's process. */
interface RestarterEvents {
  /** It ended without being asked to. */
  readonly onEnded: (exit: ProcessExit) => void;
  /** It was asked to end, and still works. */
  readonly onSlow: () => void;
  /** It has not ended within its grace, and was killed. */
  readonly onKilled: () => void;
}

interface RestarterOptions extends RestarterEvents {
  readonly start: () => Promise<OperatorProcess>;
  /** Milliseconds from SIGTERM to SIGKILL. */
  readonly grace: number;
  readonly clock?: Clock;
}

/** Milliseconds after which it is worth saying that the operator is still stopping. */
const slowAfter = 2_000;

/**
 * One operator at a time: the next one starts only after the last one has ended, so that two never write to the same cluster,
 * and its ports are free. Calls are carried out in their order.
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

  /** True if there is an operator, started and not asked to end. */
  get running(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Ends the operator, if there is one, does `between`, and starts the next one.
   * @param between what must not happen while an operator runs, such as replacing its files
   * @returns false if nothing was started because `close` was called
   * @throws what `between` and the start throw; no operator runs then
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

  /** Ends the operator; nothing is started after that. */
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
    // From here on its end is expected.
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
