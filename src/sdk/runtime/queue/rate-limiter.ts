/** Delays of keys before they are tried again. Counts failures per key. */
export interface RateLimiter {
  /** Counts one more failure of the key and gives its delay in milliseconds. */
  next(key: string): number;
  /** Resets the key's count. */
  forget(key: string): void;
  /** The failures counted since the last `forget`. */
  failures(key: string): number;
}

export interface BackoffOptions {
  /** Milliseconds before the first retry. Default: 5. */
  readonly base?: number;
  /** The longest delay in milliseconds. Default: 1,000,000 (16 minutes 40 seconds). */
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
    // Beyond 2^1023 the power is Infinity, which the cap catches as well.
    return Math.min(this.#base * 2 ** failures, this.#cap);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }
}
