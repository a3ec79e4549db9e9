import type { Clock } from '../../../../src/sdk/net/waits.ts';

/** A clock that stands still until a test moves it. It begins on 2 January 2026, at 03:04:05.678. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly due: number; readonly callback: () => void }>();

  now(): number {
    return this.#now;
  }

  today(): Date {
    return new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678) + this.#now);
  }

  get timers(): number {
    return this.#timers.size;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { due: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves on, firing timers at their times. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const next = [...this.#timers].filter((t) => t.due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = end;
  }
}
