/** Milliseconds of work before yielding. */
const BUDGET_MS = 10;

/** Clock and yield of a {@link Turn}; tests inject theirs. */
interface TurnOptions {
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly now?: () => number;
  /** Milliseconds of work in one turn. Default: 10. */
  readonly budget?: number;
}

/**
 * A turn of the event loop, shared by all code that works in steps without waiting for I/O: resolved promises never leave the microtask
 * queue, so that timers, sockets and health probes would wait for the end of all the work.
 *
 * Call before each step: `await turn.yieldIfDue()`. The first call of a turn starts its time budget, which all later calls of the same turn
 * share. Costs one reading of the clock for each call, and one or two `setImmediate` for each turn.
 */
export class Turn {
  readonly #now: () => number;
  readonly #budget: number;
  /** Time of the first step in this turn; undefined: no step has run in this turn. */
  #began: number | undefined;
  /** True if the event loop processes I/O and timers before the next immediate, as this turn began with an immediate. */
  #isImmediate = false;
  /** Resolves with the next turn; exists once the budget is used up. */
  #next: Promise<void> | undefined;
  #resolveNext: () => void = () => undefined;

  constructor(options: TurnOptions = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#budget = options.budget ?? BUDGET_MS;
  }

  /** Returns a promise of the next turn if the budget of this one is used up, otherwise undefined: continue. */
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
    // Immediates set by a timer or a socket run before the loop has processed other I/O.
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

/** The turn that all code of this process shares. */
export const processTurn = new Turn();
