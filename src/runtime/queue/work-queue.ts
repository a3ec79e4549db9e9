import { systemClock, type Clock } from '../../net/index.ts';
import { DelayedKeys } from './delayed-keys.ts';
import { Fifo } from './fifo.ts';
import { ExponentialBackoff, type RateLimiter } from './rate-limiter.ts';

/** What a queue tells about itself; times are in seconds. */
export interface QueueObserver {
  /** A key was accepted that was not waiting already. */
  added(): void;
  /** A key was put back to be tried later. */
  retried(): void;
  /** The number of keys that a worker could take now. */
  depth(length: number): void;
  /** How long a key waited for a worker. */
  waited(seconds: number): void;
  /** How long a worker had a key. */
  worked(seconds: number): void;
}

export interface WorkQueueOptions {
  readonly clock?: Clock;
  readonly rateLimiter?: RateLimiter;
  readonly observer?: QueueObserver;
}

/**
 * A queue of keys for several workers. A key waits at most once, and no two workers have the same key at a time: a key
 * that is added while a worker has it runs once more after `done`. Keys only, never objects: a worker reads the state of
 * the moment, so a burst of changes costs one run. Semantics of client-go's `util/workqueue`.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #rateLimiter: RateLimiter;
  readonly #observer: QueueObserver | undefined;

  /** Keys that a worker can take, in order. */
  readonly #ready = new Fifo<string>();
  /** Keys that need a run, with the time since when: the ready ones, and those that a worker has that changed meanwhile. */
  readonly #dirty = new Map<string, number>();
  /** Keys that a worker has, with the time since when. */
  readonly #processing = new Map<string, number>();
  readonly #delayed = new DelayedKeys();
  readonly #waiters = new Fifo<(key: string | undefined) => void>();
  #timer: { readonly due: number; readonly cancel: () => void } | undefined;
  #state: 'open' | 'draining' | 'closed' = 'open';
  #onIdle: (() => void)[] = [];

  constructor(options: WorkQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#rateLimiter = options.rateLimiter ?? new ExponentialBackoff();
    this.#observer = options.observer;
  }

  /** The number of keys that a worker could take now. */
  get length(): number {
    return this.#ready.length;
  }

  /** Seconds for which the keys that workers have now have been with them: all together, and the longest. */
  get unfinishedWork(): { readonly total: number; readonly longest: number } {
    const now = this.#clock.now();
    let total = 0;
    let longest = 0;
    for (const since of this.#processing.values()) {
      const seconds = (now - since) / 1000;
      total += seconds;
      longest = Math.max(longest, seconds);
    }
    return { total, longest };
  }

  /** Asks for a run of this key as soon as a worker is free. Overrides a delay. */
  add(key: string): void {
    if (this.#state !== 'open') return;
    this.#delayed.remove(key);
    if (this.#dirty.has(key)) return;
    this.#dirty.set(key, this.#clock.now());
    this.#observer?.added();
    if (!this.#processing.has(key)) this.#offer(key);
  }

  /** Asks for a run in some milliseconds. Of several times for one key the earliest counts; a key that waits for a worker anyway keeps its place. */
  addAfter(key: string, milliseconds: number): void {
    if (this.#state !== 'open') return;
    this.#observer?.retried();
    if (milliseconds <= 0) {
      this.add(key);
    } else if (!this.#dirty.has(key)) {
      this.#delayed.add(key, this.#clock.now() + milliseconds);
      this.#arm();
    }
  }

  /** Asks for a run after the back-off of this key, which grows until `forget`. */
  addRateLimited(key: string): void {
    if (this.#state !== 'open') return;
    this.addAfter(key, this.#rateLimiter.next(key));
  }

  /** The key did well: its next back-off is the shortest again. */
  forget(key: string): void {
    this.#rateLimiter.forget(key);
  }

  /** How often the key was put back by `addRateLimited` since the last `forget`. */
  failures(key: string): number {
    return this.#rateLimiter.failures(key);
  }

  /** The next key, now the caller's until `done`. Undefined once the queue is shut down: the worker ends. */
  async get(): Promise<string | undefined> {
    const key = this.#ready.shift();
    if (key !== undefined) return this.#take(key);
    if (this.#state !== 'open') return undefined;
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** The worker is through with the key. */
  done(key: string): void {
    const since = this.#processing.get(key);
    if (since === undefined) return;
    this.#processing.delete(key);
    this.#observer?.worked((this.#clock.now() - since) / 1000);
    if (this.#dirty.has(key)) this.#offer(key);
    this.#settle();
  }

  /** Takes no more keys and forgets those that wait; `get` gives undefined from now on. Resolves when the workers have brought back theirs. */
  async shutDown(): Promise<void> {
    this.#close('closed');
    this.#dirty.clear();
    this.#ready.clear();
    this.#observer?.depth(0);
    return this.#idle();
  }

  /** Takes no more keys, hands out those that are ready, and resolves when the workers have brought back all. Delayed keys are forgotten. */
  async shutDownWithDrain(): Promise<void> {
    if (this.#state === 'open') this.#close('draining');
    return this.#idle();
  }

  #close(state: 'draining' | 'closed'): void {
    this.#state = state;
    this.#delayed.clear();
    this.#timer?.cancel();
    this.#timer = undefined;
    for (let waiter = this.#waiters.shift(); waiter !== undefined; waiter = this.#waiters.shift())
      waiter(undefined);
  }

  async #idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle.push(resolve);
      this.#settle();
    });
  }

  #settle(): void {
    if (this.#state === 'open' || this.#processing.size > 0 || this.#ready.length > 0) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Gives the key to a worker that waits, or lets it wait for one. */
  #offer(key: string): void {
    const waiter = this.#waiters.shift();
    if (waiter === undefined) {
      this.#ready.push(key);
      this.#observer?.depth(this.#ready.length);
    } else {
      waiter(this.#take(key));
    }
  }

  #take(key: string): string {
    const now = this.#clock.now();
    this.#observer?.waited((now - (this.#dirty.get(key) ?? now)) / 1000);
    this.#observer?.depth(this.#ready.length);
    this.#dirty.delete(key);
    this.#processing.set(key, now);
    return key;
  }

  /** One timer for all delayed keys, at the earliest time. */
  #arm(): void {
    const due = this.#delayed.nextDue;
    if (due === undefined || (this.#timer !== undefined && this.#timer.due <= due)) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(due - this.#clock.now(), () => {
      this.#timer = undefined;
      for (const key of this.#delayed.takeDue(this.#clock.now())) this.add(key);
      this.#arm();
    });
    this.#timer = { due, cancel };
  }
}
