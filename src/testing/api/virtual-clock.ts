import type { Clock } from '../../sdk/net/index.ts';

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock whose time passes only by `fireNext` and `moveTo`. */
export class VirtualClock implements Clock {
  readonly #timers = new Set<Timer>();
  readonly #began: number;
  #now = 0;
  #order = 0;

  /** @param began the time of day at the clock's zero, milliseconds */
  constructor(began: number) {
    this.#began = began;
  }

  now(): number {
    return this.#now;
  }

  /** The time of day. */
  today(): Date {
    return new Date(this.#began + this.#now);
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { due: this.#now + Math.max(milliseconds, 0), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** When the next timer is due; undefined: there is none. */
  get nextDue(): number | undefined {
    return this.#next?.due;
  }

  get #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers)
      if (next === undefined || timer.due < next.due || (timer.due === next.due && timer.order < next.order))
        next = timer;
    return next;
  }

  /** Goes on to the next timer and calls it. */
  fireNext(): void {
    const next = this.#next;
    if (next === undefined) return;
    this.#timers.delete(next);
    this.#now = Math.max(this.#now, next.due);
    next.callback();
  }

  /** Goes on to a time before which no timer is due. */
  moveTo(time: number): void {
    this.#now = Math.max(this.#now, time);
  }
}
