/** Time to work before others get their turn. */
const BUDGET_MS = 10;

/** Clock and yield of a {@link Turn}; tests inject theirs. */
interface TurnOptions {
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly now?: () => number;
  /** Milliseconds of work in one turn. Default: 10. */
  readonly budget?: number;
}

/**
 * A turn of the event loop, shared by all who work in steps without waiting for anything: promises that are resolved already
 * never leave the microtask queue, so that timers, sockets and health probes would wait for the end of all the work.
 *
 * Ask before each step: `await turn.yieldIfDue()`. Whoever asks first begins the count, and all who ask later in the same turn
 * share what is left of it. Costs one reading of the clock for each call, and one or two
 * `setImmediate` for each turn.
 */
export class Turn {
  readonly #now: () => number;
  readonly #budget: number;
  /** When the first step of this turn began; undefined: nobody has asked in this turn. */
  #began: number | undefined;
  /** True if the event loop looks for I/O and timers before the next immediate: this turn began with one. */
  #isImmediate = false;
  /** Resolves with the next turn; there once the budget is used up. */
  #next: Promise<void> | undefined;
  #resolveNext: () => void = () => undefined;

  constructor(options: TurnOptions = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#budget = options.budget ?? BUDGET_MS;
  }

  /** A promise of the next turn if this one has lasted long enough, else undefined: continue. */
  yieldIfDue(): Promise<void> | undefined {
    if (this.#next !== undefined) return this.#next;
    const now = this.#now();
    if (this.#began === undefined) {
      this.#begin(now, false);
      return undefined;
    }
    if (now - this.#began < this.#budget) return undefined;
    this.#next = new Promise((resolve) => (this.#resolveNext = resolve));
    return this.#next;
  }

  #begin(now: number, isImmediate: boolean): void {
    this.#began = now;
    this.#isImmediate = isImmediate;
    setImmediate(() => this.#end());
  }

  #end(): void {
    if (this.#next === undefined) {
      this.#began = undefined;
      return;
    }
    // Immediates that a timer or a socket sets run before the loop has looked for others.
    if (!this.#isImmediate) {
      this.#isImmediate = true;
      setImmediate(() => this.#end());
      return;
    }
    this.#next = undefined;
    this.#begin(this.#now(), true);
    this.#resolveNext();
  }
}

/** The turn that everything in this process shares. */
export const processTurn = new Turn();
