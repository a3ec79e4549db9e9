import { toError, waitFor } from './waits.ts';
import { outsideWaits } from './outside-waits.ts';

/** Something that keeps the process alive unless it is unreferenced: a child process, a socket, a timer. */
interface Holder {
  ref(): unknown;
  unref(): unknown;
}

/** One run of work that several wait for. */
export interface SharedRun {
  /** Aborted when the limit has passed, or when nobody waits for work without a limit: the work must end. */
  readonly signal: AbortSignal;
  /** Lets the holder keep the process alive only while somebody waits. */
  hold(holder: Holder): void;
}

interface SharedWaitOptions<T> {
  /** The name in logs and probes: `credential plugin aws of user jane`. */
  readonly subject: string;
  /** Milliseconds, asked for each run. Undefined: a person may have to answer; the run ends when nobody waits for it any more. */
  limit(): number | undefined;
  /** The error of a run that has passed its limit. */
  late(limit: number): Error;
  work(run: SharedRun): Promise<T>;
}

/**
 * Waits for something outside of this process, once for all who ask at the same time. Whoever waits leaves by a signal of their own
 * while the others go on; the run itself ends at its limit. A run that nobody waits for goes on until then, so that those who ask
 * again find its answer, but does not keep the process alive.
 *
 * Work that does not obey the abort, such as a read from a file server that is gone, is not started a second time: until it ends,
 * whoever asks gets the error at once.
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

  /** @throws the signal's reason; what `late` gives; what the work throws */
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
      // In a turn of its own: what the work throws at once is an outcome like any other.
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
    // Those who waited for it may all have left.
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
  /** The greatest delay before jitter, milliseconds. */
  readonly maximum: number;
  /** Up to this share of the delay is added at random, so that many clients do not come back at once. */
  readonly jitter: number;
}

/** Growing delays between repetitions. */
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

  /** Call it on each failure: how many milliseconds to wait. */
  next(): number {
    const { factor, maximum, jitter } = this.#settings;
    const delay = this.#base * (1 + jitter * this.#random());
    this.#base = Math.min(this.#base * factor, maximum);
    return delay;
  }

  /** Call it on each success: the next delay is the shortest one. */
  reset(): void {
    this.#base = this.#settings.initial;
  }
}
