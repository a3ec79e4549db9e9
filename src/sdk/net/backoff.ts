export interface BackoffSettings {
  /** Milliseconds before the first repetition. */
  readonly initial: number;
  readonly factor: number;
  /** The greatest delay before jitter, milliseconds. */
  readonly maximum: number;
  /** Up to this share of the delay is added at random, so that many clients do not come back at once. */
  readonly jitter: number;
}

/** Growing delays between repetitions. */
export class Backoff {
  readonly #settings: BackoffSettings;
  readonly #random: () => number;
  #base: number;

  /** @param random in [0, 1) */
  constructor(settings: BackoffSettings, random: () => number = Math.random) {
    this.#settings = settings;
    this.#random = random;
    this.#base = settings.initial;
  }

  /** Call it on each failure: how many milliseconds to wait. */
  next(): number {
    const { factor, maximum, jitter } = this.#settings;
    const delay = this.#base * (1 + jitter * this.#random());
    this.#base = Math.min(this.#base * factor, maximum);
    return delay;
  }

  /** Call it on each success: the next delay is the shortest one. */
  reset(): void {
    this.#base = this.#settings.initial;
  }
}
