import type { Clock } from '../../net/index.ts';

export interface AllowanceSettings {
  /** Events at once. */
  readonly burst: number;
  /** Milliseconds until there is one more. */
  readonly refill: number;
  /** Number of objects that are remembered; those that were quiet for longest are forgotten. */
  readonly objects: number;
}

/** A token bucket for each object: one that is in a hot loop cannot use up what others need. */
export class ObjectAllowance {
  readonly #settings: AllowanceSettings;
  readonly #clock: Clock;
  /** In the order of their last use. */
  readonly #buckets = new Map<string, { readonly tokens: number; readonly at: number }>();

  constructor(settings: AllowanceSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Takes one; false if there is none. */
  take(object: string): boolean {
    const { burst, refill, objects } = this.#settings;
    const now = this.#clock.now();
    const before = this.#buckets.get(object) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, before.tokens + (now - before.at) / refill);
    const allowed = tokens >= 1;
    this.#buckets.delete(object);
    this.#buckets.set(object, { tokens: allowed ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > objects) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return allowed;
  }
}
