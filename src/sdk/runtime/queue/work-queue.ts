import { systemClock, type Clock } from '../../net/index.ts';
import { KeyHeap, Fifo, ExponentialBackoff, type RateLimiter } from './queues.ts';

/** Default priority of keys. */
export const NORMAL_PRIORITY = 0;

/** The priority of objects without a known change, such as those of the first list. Source: controller-runtime `handler.LowPriority`. */
export const LOW_PRIORITY = -100;

/** Options of an add. */
export interface AddOptions {
  /** Keys of a higher priority are taken first. Default: 0; for delayed adds, the priority of the run that requests them. */
  readonly priority?: number | undefined;
}

/** Observer of a queue; times are in seconds. */
export interface QueueObserver {
  /** Called when a key was accepted that was not queued already. */
  added(): void;
  /** Called when a key was scheduled for a later try. */
  retried(): void;
  /** Called with the number of keys of a priority that are ready for a worker. */
  depth(length: number, priority: number): void;
  /** Called with the time that a key waited for a worker. */
  waited(seconds: number): void;
  /** Called with the time that a worker held a key. */
  worked(seconds: number): void;
}

export interface WorkQueueOptions {
  readonly clock?: Clock;
  readonly rateLimiter?: RateLimiter;
  readonly observer?: QueueObserver;
}

/** A key that waits for a worker or a delay. */
interface Waiting {
  readonly key: string;
  /** The highest priority of all adds. */
  priority: number;
  /** Order of arrival; equal priorities are first in, first out. */
  readonly order: number;
}

interface ReadyKey extends Waiting {
  /** Time at which the run was requested. */
  readonly since: number;
}

interface DelayedKey extends Waiting {
  due: number;
}

/**
 * A queue of keys for several workers. A key is queued at most once, and is never held by two workers at the same time: a key that is added
 * while a worker holds it runs once more after `done`. Contains only keys, never objects: a worker reads the current state, so a burst of
 * changes costs one run. Semantics of client-go's `util/workqueue`, with the priorities of controller-runtime's `priorityqueue`: the
 * highest priority of all adds of a key is used, also for the retries of its run; keys of one priority are taken in the order in which they
 * became ready.
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
  /** Keys held by a worker, with the start time. */
  readonly #processing = new Map<string, { readonly since: number; readonly priority: number }>();
  /** Keys held by a worker that were added again. */
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

  /** Requests a run of this key by the next free worker. Overrides a delay. */
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
   * Requests a run after a delay in milliseconds. Of several delays for one key the earliest is used; a key that already waits for a worker
   * keeps its place.
   */
  addAfter(key: string, milliseconds: number, options: AddOptions = {}): void {
    if (this.#state !== 'open') return;
    const priority = options.priority ?? this.#processing.get(key)?.priority ?? NORMAL_PRIORITY;
    this.#observer?.retried();
    if (milliseconds <= 0) this.add(key, { priority });
    else if (!this.#raise(key, priority)) this.#delay(key, this.#clock.now() + milliseconds, priority);
  }

  /**
   * Requests a run after the back-off of this key, which grows until `forget`. Returns the back-off in milliseconds; undefined after
   * shutdown.
   */
  addRateLimited(key: string, options?: AddOptions): number | undefined {
    if (this.#state !== 'open') return undefined;
    const delay = this.#rateLimiter.next(key);
    this.addAfter(key, delay, options);
    return delay;
  }

  /** Called after a success: the next back-off of the key is the shortest again. */
  forget(key: string): void {
    this.#rateLimiter.forget(key);
  }

  /** Returns the number of `addRateLimited` calls for the key since the last `forget`. */
  failures(key: string): number {
    return this.#rateLimiter.failures(key);
  }

  /** Returns the priority of a key that a worker holds. */
  priorityOf(key: string): number | undefined {
    return this.#processing.get(key)?.priority;
  }

  /** Returns the next key, held by the caller until `done`. Returns undefined once the queue is shut down: the worker must end. */
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
   * Accepts no more keys and drops the queued ones; `get` returns undefined from now on. Resolves when the workers have finished their
   * keys.
   */
  async shutDown(): Promise<void> {
    this.#close('closed');
    this.#again.clear();
    this.#ready.clear();
    for (const [priority, depth] of this.#depths) this.#count(priority, -depth);
    return this.#idle();
  }

  /** Accepts no more keys, hands out those that are ready, and resolves when the workers have finished all. Delayed keys are dropped. */
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

  /** Passes the key to a waiting worker, or queues it. */
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
    this.#observer?.waited((now - since) / 1000);
    this.#processing.set(key, { since: now, priority });
    return key;
  }

  /** Raises the priority of a run that is already requested. Returns false if none is. */
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

  /** One timer for all delayed keys, at the earliest time. */
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
