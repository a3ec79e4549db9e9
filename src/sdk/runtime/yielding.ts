/** Milliseconds for which code may work before it yields to the event loop. */
const BUDGET_MS = 10;

/** Clock and time budget of a {@link Turn}; tests replace them. */
interface TurnOptions {
  /** Returns the time of a monotonic clock in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
  /** Milliseconds of work in one turn of the event loop. Default: 10. */
  readonly budget?: number;
}

/**
 * A turn of the event loop, shared by all code that works in steps without waiting for I/O. Resolved promises never leave the microtask
 * queue, so without yielding, timers, sockets and health probes would wait for the end of all the work.
 *
 * Call before each step: `await turn.yieldIfDue()`. The first call of a turn starts its time budget, which all later calls of the same turn
 * share. Costs one reading of the clock for each call, and one or two `setImmediate` for each turn.
 */
export class Turn {
  readonly #now: () => number;
  readonly #budget: number;
  /** Time of the first step in this turn; undefined: no step has run in this turn. */
  #began: number | undefined;
  /** True if this turn began with an immediate: then the event loop processes I/O and timers before it runs the next immediate. */
  #isImmediate = false;
  /** Promise that resolves when the next turn begins; undefined until the time budget is used up. */
  #next: Promise<void> | undefined;
  #resolveNext: () => void = () => undefined;

  constructor(options: TurnOptions = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#budget = options.budget ?? BUDGET_MS;
  }

  /**
   * Returns a promise that resolves when the next turn begins if the time budget of this turn is used up. Otherwise returns undefined: the
   * caller may continue.
   */
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
    // An immediate that a timer or a socket sets runs before the event loop has processed other I/O, so wait for a second immediate.
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

/** The turn of the event loop that all code of this process shares. */
export const processTurn = new Turn();
