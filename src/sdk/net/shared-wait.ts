import { toError, waitFor } from './waits.ts';
import { outsideWaits } from './outside-waits.ts';

/** Resource that keeps the process alive unless it is unreferenced: a child process, a socket, a timer. */
interface Holder {
  ref(): unknown;
  unref(): unknown;
}

/** One run of work that several callers wait for. */
export interface SharedRun {
  /**
   * Aborts when the time limit has passed. For work without a limit, aborts when no caller waits any longer. The work must end after the
   * abort.
   */
  readonly signal: AbortSignal;
  /** Unreferences the holder while no caller waits, so that it does not keep the process alive. */
  hold(holder: Holder): void;
}

interface SharedWaitOptions<T> {
  /** Name of the external system in logs and probes: `credential plugin aws of user jane`. */
  readonly subject: string;
  /**
   * Returns the time limit in milliseconds; called for each run. Returns undefined if the run may wait for a user's answer. A run without a
   * limit ends when no caller waits for it any longer.
   */
  limit(): number | undefined;
  /** Returns the error for a run that exceeded its time limit. */
  late(limit: number): Error;
  work(run: SharedRun): Promise<T>;
}

/**
 * Waits for an external system. Concurrent callers share one run of the work. Each caller can stop waiting through its own signal without
 * affecting the other callers; the run ends at its time limit. A run without callers continues until that limit, so that later callers get
 * its result, but does not keep the process alive.
 *
 * Work that ignores the abort, such as a read from an unreachable file server, is not started a second time: until that work ends, callers
 * get the error immediately.
 */
export class SharedWait<T> {
  readonly #options: SharedWaitOptions<T>;
  #run: Run<T> | undefined;

  constructor(options: SharedWaitOptions<T>) {
    this.#options = options;
  }

  /** True while the work runs. */
  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /**
   * Starts the work, or waits for the run that has already started.
   *
   * @throws the signal's reason; the error of `late`; the errors of the work
   */
  async join(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    this.#run ??= new Run(this.#options, () => (this.#run = undefined));
    return this.#run.join(signal);
  }
}

class Run<T> implements SharedRun {
  readonly #abort = new AbortController();
  readonly #holders = new Set<Holder>();
  readonly #outcome: Promise<T>;
  readonly #limit: number | undefined;
  #waiters = 0;

  constructor(options: SharedWaitOptions<T>, ended: () => void) {
    const limit = options.limit();
    this.#limit = limit;
    const wait = outsideWaits.begin(options.subject);
    this.#outcome = new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      if (limit !== undefined) {
        timer = setTimeout(() => {
          const error = options.late(limit);
          this.#abort.abort(error);
          reject(error);
        }, limit);
        this.hold(timer);
      }
      const settle = (isDone: boolean): void => {
        clearTimeout(timer);
        this.#holders.clear();
        wait.end(isDone);
        ended();
      };
      // Starts the work in a separate microtask, so that an error thrown synchronously is handled like any other outcome.
      void Promise.resolve()
        .then(() => options.work(this))
        .then(
          (value) => {
            settle(true);
            resolve(value);
          },
          (error: unknown) => {
            settle(false);
            reject(toError(error));
          },
        );
    });
    // Prevents an unhandled rejection if the run fails after all callers have stopped waiting.
    this.#outcome.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  hold(holder: Holder): void {
    this.#holders.add(holder);
    if (this.#waiters === 0) holder.unref();
  }

  async join(signal: AbortSignal | undefined): Promise<T> {
    this.#waiters += 1;
    if (this.#waiters === 1) for (const holder of this.#holders) holder.ref();
    try {
      return await waitFor(this.#outcome, signal);
    } finally {
      this.#waiters -= 1;
      if (this.#waiters === 0) this.#leftAlone();
    }
  }

  #leftAlone(): void {
    for (const holder of this.#holders) holder.unref();
    if (this.#limit === undefined) this.#abort.abort(new Error('nobody waits for it any more'));
  }
}

export interface BackoffSettings {
  /** Delay before a failed operation is repeated for the first time, in milliseconds. */
  readonly initial: number;
  readonly factor: number;
  /** Maximum delay before jitter is added, in milliseconds. */
  readonly maximum: number;
  /** Maximum random addition, as a share of the delay. It prevents that many clients retry at the same time. */
  readonly jitter: number;
}

/** Computes increasing delays between repetitions of a failing operation. */
export class Backoff {
  readonly #settings: BackoffSettings;
  readonly #random: () => number;
  #base: number;

  /** @param random returns a random number in [0, 1) */
  constructor(settings: BackoffSettings, random: () => number = Math.random) {
    this.#settings = settings;
    this.#random = random;
    this.#base = settings.initial;
  }

  /** Returns the milliseconds to wait after a failure. Call it after each failure. */
  next(): number {
    const { factor, maximum, jitter } = this.#settings;
    const delay = this.#base * (1 + jitter * this.#random());
    this.#base = Math.min(this.#base * factor, maximum);
    return delay;
  }

  /** Sets the next delay to the initial one. Call it after each success. */
  reset(): void {
    this.#base = this.#settings.initial;
  }
}
