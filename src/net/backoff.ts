export interface BackoffSettings {
  /** Milliseconds before the first repetition. */
  readonly initial: number;
  readonly factor: number;
  /** The greatest delay before jitter, milliseconds. */
  readonly maximum: number;
  /** Up to this share of the delay is added at random, so that many clients do not come back at once. */
  readonly jitter: number;
  /** After so many milliseconds without a failure the delays start from the beginning. */
  readonly resetAfter: number;
}

/** Growing delays between repetitions. */
export class Backoff {
  readonly #settings: BackoffSettings;
  readonly #now: () => number;
  readonly #random: () => number;
  #base: number;
  #endOfLastDelay = -Infinity;

  /**
   * @param now milliseconds of a monotonic clock
   * @param random in [0, 1)
   */
  constructor(settings: BackoffSettings, now: () => number, random: () => number = Math.random) {
    this.#settings = settings;
    this.#now = now;
    this.#random = random;
    this.#base = settings.initial;
  }

  /** Call it on each failure: how many milliseconds to wait. */
  next(): number {
    const { initial, factor, maximum, jitter, resetAfter } = this.#settings;
    const now = this.#now();
    if (now - this.#endOfLastDelay > resetAfter) this.#base = initial;
    const delay = this.#base * (1 + jitter * this.#random());
    this.#base = Math.min(this.#base * factor, maximum);
    this.#endOfLastDelay = now + delay;
    return delay;
  }
}
