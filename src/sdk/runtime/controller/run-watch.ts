import type { Clock } from '../../net/index.ts';

/** Time, in milliseconds, after which the log names a run, and names it again. */
const SLOW_AFTER_MS = 60_000;

/** A run that is over is remembered if it took so long, milliseconds: it may have blocked the event loop. */
const LONG_MS = 500;
const REMEMBERED = 16;

/** A run that may take long. */
export interface TimedRun {
  readonly key: string;
  /** Milliseconds of the clock. */
  readonly began: number;
  abort(reason: Error): void;
}

interface RunWatchOptions<R extends TimedRun> {
  readonly clock: Clock;
  /** Milliseconds that a run may take; undefined: any time. */
  readonly timeout: number | undefined;
  /** Default: 60,000. */
  readonly slowAfter?: number | undefined;
  /** A run has taken longer than the timeout; called once for each. */
  onTimeout(run: R): void;
  /** A run has taken one more `slowAfter`. */
  onSlow(run: R, milliseconds: number): void;
}

interface Watched {
  timeoutAt: number;
  slowAt: number;
}

/** The runs of a controller, or of its maps, that have not ended, and the one timer that notices those that take long. */
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

  /** The keys of the runs that were under way at a time, as far as they are still, or took long. */
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

  /** Aborts all runs, also those that begin later, and watches no longer. */
  abort(reason: Error): void {
    this.#aborted ??= reason;
    for (const run of this.#runs.keys()) run.abort(reason);
    this.stop();
  }

  /** Leaves no timer behind. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Most often there is a timer of a run before, which is due earlier. */
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
        // After a blocked loop, one line for all that was missed.
        while (watched.slowAt <= now) watched.slowAt += this.#slowAfter;
        this.#options.onSlow(run, now - run.began);
      }
    }
  }
}
