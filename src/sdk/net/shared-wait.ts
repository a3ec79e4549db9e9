import { toError, waitFor } from './waits.ts';
import { outsideWaits } from './outside-waits.ts';

/** Something that keeps the process alive unless it is unreferenced: a child process, a socket, a timer. */
interface Holder {
  ref(): unknown;
  unref(): unknown;
}

/** One run of work that several callers wait for. */
export interface SharedRun {
  /** Aborted when the limit has passed, or, for work without a limit, when no caller waits any longer: the work must end. */
  readonly signal: AbortSignal;
  /** Lets the holder keep the process alive only while a caller waits. */
  hold(holder: Holder): void;
}

interface SharedWaitOptions<T> {
  /** The name in logs and probes: `credential plugin aws of user jane`. */
  readonly subject: string;
  /**
   * Returns the limit in milliseconds; called for each run. Undefined: a user may have to answer; the run ends when no caller waits for it
   * any longer.
   */
  limit(): number | undefined;
  /** Returns the error for a run that exceeded its limit. */
  late(limit: number): Error;
  work(run: SharedRun): Promise<T>;
}

/**
 * Waits for an external system; concurrent callers share one run. Each caller can leave by its own signal without affecting the others; the
 * run itself ends at its limit. A run without callers continues until its limit, so that later callers get its result, but does not keep
 * the process alive.
 *
 * Work that ignores the abort, such as a read from an unreachable file server, is not started a second time: until it ends, callers get the
 * error immediately.
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

  /** @throws the signal's reason; the error of `late`; the errors of the work */
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
      // Starts in a separate microtask, so that an error thrown synchronously is handled like any other outcome.
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
    // All callers may have left before the run fails.
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
  /** Milliseconds before the first repetition. */
  readonly initial: number;
  readonly factor: number;
  /** The maximum delay before jitter, milliseconds. */
  readonly maximum: number;
  /** A random part of up to this share of the delay is added, so that many clients do not retry at the same time. */
  readonly jitter: number;
}

/** Computes increasing delays between repetitions. */
export class Backoff {
  readonly #settings: BackoffSettings;
  readonly #random: () => number;
  #base: number;

  /** @param random in [0, 1) */
  constructor(settings: BackoffSettings, random: () => number = Math.random) {
    this.#settings = settings;
    this.#random = random;
    this.#base = settings.initial;
  }

  /** Called after each failure; returns the milliseconds to wait. */
  next(): number {
    const { factor, maximum, jitter } = this.#settings;
    const delay = this.#base * (1 + jitter * this.#random());
    this.#base = Math.min(this.#base * factor, maximum);
    return delay;
  }

  /** Called after each success: the next delay is the initial one. */
  reset(): void {
    this.#base = this.#settings.initial;
  }
}
