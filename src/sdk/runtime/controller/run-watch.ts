import type { Clock } from '../../net/index.ts';

/** Interval at which the log reports a run that has not ended, in milliseconds. */
const SLOW_AFTER_MS = 60_000;

/** Minimum duration of an ended run that is remembered, in milliseconds. Such a run may have blocked the event loop. */
const LONG_MS = 500;
const REMEMBERED = 16;

/** A run with an optional timeout. */
export interface TimedRun {
  readonly key: string;
  /** Start of the run, in milliseconds of the clock. */
  readonly began: number;
  abort(reason: Error): void;
}

interface RunWatchOptions<R extends TimedRun> {
  readonly clock: Clock;
  /** Time limit of a run, in milliseconds; undefined for no limit. */
  readonly timeout: number | undefined;
  /** Interval in milliseconds at which `onSlow` is called. Default: 60,000. */
  readonly slowAfter?: number | undefined;
  /** Called once for each run that exceeds the timeout. */
  onTimeout(run: R): void;
  /** Called each time that a run has lasted for another `slowAfter` milliseconds. */
  onSlow(run: R, milliseconds: number): void;
}

interface Watched {
  timeoutAt: number;
  slowAt: number;
}

/** Watches the running reconciles of a controller, or running calls of its `map` functions. Uses one timer that detects slow runs. */
export class RunWatch<R extends TimedRun> {
  readonly #options: RunWatchOptions<R>;
  readonly #slowAfter: number;
  readonly #runs = new Map<R, Watched>();
  readonly #over: { readonly key: string; readonly began: number; readonly ended: number }[] = [];
  #timer: { readonly due: number; readonly cancel: () => void } | undefined;
  #aborted: Error | undefined;

  constructor(options: RunWatchOptions<R>) {
    this.#options = options;
    this.#slowAfter = options.slowAfter ?? SLOW_AFTER_MS;
  }

  /** The keys of the runs that have not ended. */
  get keys(): string[] {
    return [...this.#runs.keys()].map(({ key }) => key);
  }

  /** Returns the keys of the runs that were active at the given time, if they have not ended yet, or took at least 500 milliseconds. */
  keysAt(time: number): string[] {
    const over = this.#over.filter(({ began, ended }) => began <= time && time <= ended);
    const running = [...this.#runs.keys()].filter(({ began }) => began <= time);
    return [...over, ...running].map(({ key }) => key);
  }

  begin(run: R): void {
    if (this.#aborted !== undefined) run.abort(this.#aborted);
    const timeoutAt = run.began + (this.#options.timeout ?? Infinity);
    const slowAt = run.began + this.#slowAfter;
    this.#runs.set(run, { timeoutAt, slowAt });
    this.#arm(Math.min(timeoutAt, slowAt));
  }

  end(run: R): void {
    this.#runs.delete(run);
    const ended = this.#options.clock.now();
    if (ended - run.began < LONG_MS) return;
    this.#over.push({ key: run.key, began: run.began, ended });
    if (this.#over.length > REMEMBERED) this.#over.shift();
  }

  /** Aborts all runs, including those that start later, and stops the timer. */
  abort(reason: Error): void {
    this.#aborted ??= reason;
    for (const run of this.#runs.keys()) run.abort(reason);
    this.stop();
  }

  /** Stops the timer. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Starts a timer for the given time, unless the existing timer is due earlier. Usually an earlier run has set such a timer. */
  #arm(due: number): void {
    if (this.#aborted !== undefined || due >= (this.#timer?.due ?? Infinity)) return;
    this.#timer?.cancel();
    const cancel = this.#options.clock.after(due - this.#options.clock.now(), () => {
      this.#timer = undefined;
      this.#check();
      for (const { timeoutAt, slowAt } of this.#runs.values()) this.#arm(Math.min(timeoutAt, slowAt));
    });
    this.#timer = { due, cancel };
  }

  #check(): void {
    const now = this.#options.clock.now();
    for (const [run, watched] of this.#runs) {
      if (watched.timeoutAt <= now) {
        watched.timeoutAt = Infinity;
        this.#options.onTimeout(run);
      }
      if (watched.slowAt <= now) {
        // If the event loop was blocked for several intervals, one call covers all missed intervals.
        while (watched.slowAt <= now) watched.slowAt += this.#slowAfter;
        this.#options.onSlow(run, now - run.began);
      }
    }
  }
}
