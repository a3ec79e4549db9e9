/** Ordered entries, one per key. A binary heap that stores the position of each key, so that an entry can be found, moved and removed. */
export class KeyHeap<Entry extends { readonly key: string }> {
  readonly #heap: Entry[] = [];
  readonly #places = new Map<string, number>();
  readonly #isBefore: (a: Entry, b: Entry) => boolean;

  constructor(isBefore: (a: Entry, b: Entry) => boolean) {
    this.#isBefore = isBefore;
  }

  get length(): number {
    return this.#heap.length;
  }

  get first(): Entry | undefined {
    return this.#heap[0];
  }

  get(key: string): Entry | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#heap[place];
  }

  /** Adds an entry whose key is not in the heap. */
  add(entry: Entry): void {
    this.#heap.push(entry);
    this.#up(entry, this.#heap.length - 1);
  }

  /** Restores the position of an entry in the heap, after a change of the entry that affects the order. */
  moved(entry: Entry): void {
    const place = this.#places.get(entry.key);
    if (place === undefined) return;
    this.#up(entry, place);
    this.#down(entry, this.#places.get(entry.key) ?? place);
  }

  remove(key: string): Entry | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    const removed = this.#at(place);
    const last = this.#heap.pop();
    this.#places.delete(key);
    if (last !== undefined && last !== removed) {
      this.#put(place, last);
      this.moved(last);
    }
    return removed;
  }

  /** Removes and returns the first entry. */
  shift(): Entry | undefined {
    const { first } = this;
    return first === undefined ? undefined : this.remove(first.key);
  }

  clear(): void {
    this.#heap.length = 0;
    this.#places.clear();
  }

  #up(entry: Entry, from: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(entry, this.#at(parent))) break;
      this.#put(place, this.#at(parent));
      place = parent;
    }
    this.#put(place, entry);
  }

  #down(entry: Entry, from: number): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.#heap.length) break;
      const right = left + 1;
      const isRight = right < this.#heap.length && this.#isBefore(this.#at(right), this.#at(left));
      const child = isRight ? right : left;
      if (!this.#isBefore(this.#at(child), entry)) break;
      this.#put(place, this.#at(child));
      place = child;
    }
    this.#put(place, entry);
  }

  #put(place: number, entry: Entry): void {
    this.#heap[place] = entry;
    this.#places.set(entry.key, place);
  }

  #at(place: number): Entry {
    const entry = this.#heap[place];
    if (entry === undefined) throw new RangeError(`no entry at ${place}`);
    return entry;
  }
}

const COMPACT_AT = 1024;

/** A first-in, first-out queue, whose operations take constant time. `Array.shift` would move every element of a long array. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head >= COMPACT_AT && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}

/** Computes the delay before the next try of a key, by the number of its failures. */
export interface RateLimiter {
  /** Counts one more failure of the key, and returns the delay before the next try in milliseconds. */
  next(key: string): number;
  /** Resets the number of failures of the key. */
  forget(key: string): void;
  /** Returns the number of failures of the key since the last `forget`. */
  failures(key: string): number;
}

export interface BackoffOptions {
  /** Milliseconds before the first retry. Default: 5. */
  readonly base?: number;
  /** The maximum delay in milliseconds. Default: 1,000,000 (16 minutes 40 seconds). */
  readonly cap?: number;
}

/** Doubles the delay with each failure: 5 ms, 10 ms, … 1,000 s. Source: client-go `ItemExponentialFailureRateLimiter` with controller-runtime's defaults. */
export class ExponentialBackoff implements RateLimiter {
  readonly #failures = new Map<string, number>();
  readonly #base: number;
  readonly #cap: number;

  constructor(options: BackoffOptions = {}) {
    this.#base = options.base ?? 5;
    this.#cap = options.cap ?? 1_000_000;
  }

  next(key: string): number {
    const failures = this.failures(key);
    this.#failures.set(key, failures + 1);
    // Beyond 2^1023 the power is Infinity, which the cap also limits.
    return Math.min(this.#base * 2 ** failures, this.#cap);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }
}
