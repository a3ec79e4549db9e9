import { systemClock, type Clock } from '../../net/index.ts';
import { KeyHeap, Fifo, ExponentialBackoff, type RateLimiter } from './queues.ts';

/** The priority of keys that are added without one. */
export const NORMAL_PRIORITY = 0;

/** The priority of what is only known to exist, such as the objects of the first list. Source: controller-runtime `handler.LowPriority`. */
export const LOW_PRIORITY = -100;

/** Urgency of an add. */
export interface AddOptions {
  /** Keys of a higher priority are handed out first. Default: 0; for delayed adds that of the run that asks for it. */
  readonly priority?: number | undefined;
}

/** Observer of a queue; times are in seconds. */
export interface QueueObserver {
  /** A key was accepted that was not waiting already. */
  added(): void;
  /** A key was put back to be tried later. */
  retried(): void;
  /** The number of keys of a priority that a worker could take now. */
  depth(length: number, priority: number): void;
  /** Called with the time for which a key waited for a worker. */
  waited(seconds: number): void;
  /** Called with the time for which a worker had a key. */
  worked(seconds: number): void;
}

export interface WorkQueueOptions {
  readonly clock?: Clock;
  readonly rateLimiter?: RateLimiter;
  readonly observer?: QueueObserver;
}

/** A key that waits for something. */
interface Waiting {
  readonly key: string;
  /** The highest of all adds. */
  priority: number;
  /** Order of arrival: among equals the first to come is the first to leave. */
  readonly order: number;
}

interface ReadyKey extends Waiting {
  /** When the run was asked for. */
  readonly since: number;
}

interface DelayedKey extends Waiting {
  due: number;
}

/**
 * A queue of keys for several workers. A key waits at most once, and no two workers have the same key at a time: a key
 * that is added while a worker has it runs once more after `done`. Keys only, never objects: a worker reads the state of
 * the moment, so a burst of changes costs one run. Semantics of client-go's `util/workqueue`, with the priorities of
 * controller-runtime's `priorityqueue`: of all adds of a key the highest counts, also for the retries of its run; keys of
 * one priority leave in the order in which they became ready.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #rateLimiter: RateLimiter;
  readonly #observer: QueueObserver | undefined;

  /** Keys that a worker can take. */
  readonly #ready = new KeyHeap<ReadyKey>(
    (a, b) => a.priority > b.priority || (a.priority === b.priority && a.order < b.order),
  );
  /** Number of them with each priority. */
  readonly #depths = new Map<number, number>();
  /** Keys that a worker has, with the time since when. */
  readonly #processing = new Map<string, { readonly since: number; readonly priority: number }>();
  /** Keys of them that changed meanwhile. */
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

  /** The number of keys that a worker could take now. */
  get length(): number {
    return this.#ready.length;
  }

  /** Seconds for which the keys that workers have now have been with them: all together, and the longest. */
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

  /** Asks for a run of this key as soon as a worker is free. Overrides a delay. */
  add(key: string, { priority = NORMAL_PRIORITY }: AddOptions = {}): void {
    if (this.#state !== 'open') return;
    const highest = Math.max(priority, this.#delayed.remove(key)?.priority ?? priority);
    if (this.#raise(key, highest)) return;
    const since = this.#clock.now();
    this.#observer?.added();
    if (this.#processing.has(key)) this.#again.set(key, { since, priority: highest });
    else this.#offer(key, since, highest);
  }

  /** Asks for a run in some milliseconds. Of several times for one key the earliest counts; a key that waits for a worker anyway keeps its place. */
  addAfter(key: string, milliseconds: number, options: AddOptions = {}): void {
    if (this.#state !== 'open') return;
    const priority = options.priority ?? this.#processing.get(key)?.priority ?? NORMAL_PRIORITY;
    this.#observer?.retried();
    if (milliseconds <= 0) this.add(key, { priority });
    else if (!this.#raise(key, priority)) this.#delay(key, this.#clock.now() + milliseconds, priority);
  }

  /** Asks for a run after the back-off of this key, which grows until `forget`. Gives that in milliseconds; undefined when shut down. */
  addRateLimited(key: string, options?: AddOptions): number | undefined {
    if (this.#state !== 'open') return undefined;
    const delay = this.#rateLimiter.next(key);
    this.addAfter(key, delay, options);
    return delay;
  }

  /** The key did well: its next back-off is the shortest again. */
  forget(key: string): void {
    this.#rateLimiter.forget(key);
  }

  /** Returns how often `addRateLimited` has put the key back since the last `forget`. */
  failures(key: string): number {
    return this.#rateLimiter.failures(key);
  }

  /** The priority with which a worker got the key that it has. */
  priorityOf(key: string): number | undefined {
    return this.#processing.get(key)?.priority;
  }

  /** The next key, now the caller's until `done`. Undefined once the queue is shut down: the worker ends. */
  async get(): Promise<string | undefined> {
    const entry = this.#ready.shift();
    if (entry !== undefined) {
      this.#count(entry.priority, -1);
      return this.#take(entry);
    }
    if (this.#state !== 'open') return undefined;
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** The worker is through with the key. */
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

  /** Takes no more keys and forgets those that wait; `get` gives undefined from now on. Resolves when the workers have brought back theirs. */
  async shutDown(): Promise<void> {
    this.#close('closed');
    this.#again.clear();
    this.#ready.clear();
    for (const [priority, depth] of this.#depths) this.#count(priority, -depth);
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

  /** Lets a run that is asked for already be at least as urgent. False if none is. */
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
