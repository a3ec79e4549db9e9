import { systemClock, type Clock } from '../../net/index.ts';
import { KeyHeap, Fifo, ExponentialBackoff, type RateLimiter } from './queues.ts';

/** Default priority of keys. */
export const NORMAL_PRIORITY = 0;

/**
 * Priority of objects that are queued without a known change, such as objects of the first list. Source: controller-runtime
 * `handler.LowPriority`.
 */
export const LOW_PRIORITY = -100;

/** Options for adding a key to a queue. */
export interface AddOptions {
  /**
   * Priority of the key: keys of a higher priority are taken first. Default: 0; for delayed adds, the priority of the run that requests
   * them.
   */
  readonly priority?: number | undefined;
}

/** Observer of a queue; times are in seconds. */
export interface QueueObserver {
  /** Called when a key was accepted; not called for a key that was already queued. */
  added(): void;
  /** Called when a key was scheduled for a later try. */
  retried(): void;
  /** Called when the number of keys of a priority that are ready for a worker changes, with that number. */
  depth(length: number, priority: number): void;
  /** Called with the time that a key has waited for a worker. */
  waited(seconds: number): void;
  /** Called with the time that a worker has held a key. */
  worked(seconds: number): void;
}

export interface WorkQueueOptions {
  readonly clock?: Clock;
  readonly rateLimiter?: RateLimiter;
  readonly observer?: QueueObserver;
}

/** A key that waits for a worker, or for the end of a delay. */
interface Waiting {
  readonly key: string;
  /** The highest priority with which the key was added. */
  priority: number;
  /** Order of arrival: keys of equal priority are taken first in, first out. */
  readonly order: number;
}

interface ReadyKey extends Waiting {
  /** Time at which the run was requested. */
  readonly since: number;
}

/** A key that a worker holds. */
interface HeldKey {
  /** Time at which the worker took the key. */
  readonly since: number;
  /** Milliseconds for which the key had waited for the worker. */
  readonly waited: number;
  readonly priority: number;
}

interface DelayedKey extends Waiting {
  due: number;
}

/**
 * A queue of keys for several workers. A key is queued at most once, and is never held by two workers at the same time: if it is added
 * while a worker holds it, it runs once more after `done`. The queue contains only keys, never objects. A worker reads the current state of
 * the object, so a burst of changes costs one run. The semantics are those of client-go's `util/workqueue`, with the priorities of
 * controller-runtime's `priorityqueue`: if a key is added several times, the highest priority is used, also for the retries of its run.
 * Keys of one priority are taken in the order in which they became ready.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #rateLimiter: RateLimiter;
  readonly #observer: QueueObserver | undefined;

  /** Keys that a worker can take. */
  readonly #ready = new KeyHeap<ReadyKey>(
    (a, b) => a.priority > b.priority || (a.priority === b.priority && a.order < b.order),
  );
  /** Number of ready keys by priority. */
  readonly #depths = new Map<number, number>();
  readonly #processing = new Map<string, HeldKey>();
  /** Keys that were added again while a worker holds them. */
  readonly #again = new Map<string, { readonly since: number; priority: number }>();
  readonly #delayed = new KeyHeap<DelayedKey>(
    (a, b) => a.due < b.due || (a.due === b.due && a.order < b.order),
  );
  readonly #waiters = new Fifo<(key: string | undefined) => void>();
  #order = 0;
  #timer: { readonly due: number; readonly cancel: () => void } | undefined;
  #state: 'open' | 'draining' | 'closed' = 'open';
  #onIdle: (() => void)[] = [];

  constructor(options: WorkQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#rateLimiter = options.rateLimiter ?? new ExponentialBackoff();
    this.#observer = options.observer;
  }

  /** The number of keys that are ready for a worker. */
  get length(): number {
    return this.#ready.length;
  }

  /** Seconds for which workers have held their current keys: the total, and the longest. */
  get unfinishedWork(): { readonly total: number; readonly longest: number } {
    const now = this.#clock.now();
    let total = 0;
    let longest = 0;
    for (const { since } of this.#processing.values()) {
      const seconds = (now - since) / 1000;
      total += seconds;
      longest = Math.max(longest, seconds);
    }
    return { total, longest };
  }

  /** Requests a run of the key by the next free worker, even if the key is delayed. */
  add(key: string, { priority = NORMAL_PRIORITY }: AddOptions = {}): void {
    if (this.#state !== 'open') return;
    const highest = Math.max(priority, this.#delayed.remove(key)?.priority ?? priority);
    if (this.#raise(key, highest)) return;
    const since = this.#clock.now();
    this.#observer?.added();
    if (this.#processing.has(key)) this.#again.set(key, { since, priority: highest });
    else this.#offer(key, since, highest);
  }

  /**
   * Requests a run of the key after a delay in milliseconds. If several delays are requested for one key, the earliest end is used. A key
   * that already waits for a worker keeps its position in the queue.
   */
  addAfter(key: string, milliseconds: number, options: AddOptions = {}): void {
    if (this.#state !== 'open') return;
    const priority = options.priority ?? this.#processing.get(key)?.priority ?? NORMAL_PRIORITY;
    this.#observer?.retried();
    if (milliseconds <= 0) this.add(key, { priority });
    else if (!this.#raise(key, priority)) this.#delay(key, this.#clock.now() + milliseconds, priority);
  }

  /**
   * Requests a run of the key after its back-off, which grows with each call until `forget`. Returns the back-off in milliseconds;
   * undefined after shutdown.
   */
  addRateLimited(key: string, options?: AddOptions): number | undefined {
    if (this.#state !== 'open') return undefined;
    const delay = this.#rateLimiter.next(key);
    this.addAfter(key, delay, options);
    return delay;
  }

  /** Called after a successful run, so that the next back-off of the key is the shortest one again. */
  forget(key: string): void {
    this.#rateLimiter.forget(key);
  }

  /** Returns the number of `addRateLimited` calls for the key since the last `forget`. */
  failures(key: string): number {
    return this.#rateLimiter.failures(key);
  }

  /** Returns what is known of a key that a worker holds; undefined for any other key. */
  held(key: string): HeldKey | undefined {
    return this.#processing.get(key);
  }

  /**
   * Returns the next key, which the caller holds until it calls `done`. Returns undefined after the queue was shut down; the worker must
   * then end.
   */
  async get(): Promise<string | undefined> {
    const entry = this.#ready.shift();
    if (entry !== undefined) {
      this.#count(entry.priority, -1);
      return this.#take(entry);
    }
    if (this.#state !== 'open') return undefined;
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Called when the worker has finished the key. */
  done(key: string): void {
    const run = this.#processing.get(key);
    if (run === undefined) return;
    this.#processing.delete(key);
    this.#observer?.worked((this.#clock.now() - run.since) / 1000);
    const again = this.#again.get(key);
    if (again !== undefined) {
      this.#again.delete(key);
      this.#offer(key, again.since, again.priority);
    }
    this.#settle();
  }

  /**
   * Drops the queued keys and refuses new ones; `get` returns undefined from now on. Resolves when the workers have finished the keys that
   * they hold.
   */
  async shutDown(): Promise<void> {
    this.#close('closed');
    this.#again.clear();
    this.#ready.clear();
    for (const [priority, depth] of this.#depths) this.#count(priority, -depth);
    return this.#idle();
  }

  /**
   * Refuses new keys and drops delayed ones, but still returns ready keys from `get`. Resolves when the workers have finished all these
   * keys.
   */
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

  /** Passes the key to a waiting worker; if all workers are busy, queues it. */
  #offer(key: string, since: number, priority: number): void {
    const entry = { key, since, priority, order: this.#order++ };
    const waiter = this.#waiters.shift();
    if (waiter === undefined) {
      this.#ready.add(entry);
      this.#count(priority, 1);
    } else {
      waiter(this.#take(entry));
    }
  }

  #take({ key, since, priority }: ReadyKey): string {
    const now = this.#clock.now();
    const waited = now - since;
    this.#observer?.waited(waited / 1000);
    this.#processing.set(key, { since: now, waited, priority });
    return key;
  }

  /** Raises the priority of a run that was already requested. Returns false if a run of the key was not requested. */
  #raise(key: string, priority: number): boolean {
    const again = this.#again.get(key);
    if (again !== undefined) again.priority = Math.max(again.priority, priority);
    const ready = this.#ready.get(key);
    if (ready !== undefined && priority > ready.priority) {
      this.#count(ready.priority, -1);
      ready.priority = priority;
      this.#ready.moved(ready);
      this.#count(priority, 1);
    }
    return again !== undefined || ready !== undefined;
  }

  #count(priority: number, change: number): void {
    const depth = (this.#depths.get(priority) ?? 0) + change;
    this.#depths.set(priority, depth);
    this.#observer?.depth(depth, priority);
  }

  #delay(key: string, due: number, priority: number): void {
    const waiting = this.#delayed.get(key);
    if (waiting === undefined) {
      this.#delayed.add({ key, due, priority, order: this.#order++ });
    } else {
      waiting.due = Math.min(waiting.due, due);
      waiting.priority = Math.max(waiting.priority, priority);
      this.#delayed.moved(waiting);
    }
    this.#arm();
  }

  /** Sets the timer that all delayed keys share to the earliest time at which one of them is due. */
  #arm(): void {
    const due = this.#delayed.first?.due;
    if (due === undefined || (this.#timer !== undefined && this.#timer.due <= due)) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(due - this.#clock.now(), () => {
      this.#timer = undefined;
      this.#addDue();
      this.#arm();
    });
    this.#timer = { due, cancel };
  }

  #addDue(): void {
    const now = this.#clock.now();
    for (
      let first = this.#delayed.first;
      first !== undefined && first.due <= now;
      first = this.#delayed.first
    )
      this.add(first.key, first);
  }
}
