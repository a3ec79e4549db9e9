import { Backoff, type Clock } from '../../net/index.ts';
import { ApiError, isExpired } from '../client/api-error.ts';
import type { ReflectorSettings } from './reflector-settings.ts';

/** Delays after failures: growing ones, from the shortest one again after each watch that lasted. */
export class Recovery {
  readonly #clock: Clock;
  readonly #shortestWatch: number;
  readonly #backoff: Backoff;
  /** When the watch that is running was accepted, or its initial list complete. */
  #watchingSince: number | undefined;
  /** The last list was made because the version had expired, and no watch has been a success since. */
  #listedAfterExpiry = false;

  /** @param random in [0, 1) */
  constructor(
    settings: Pick<ReflectorSettings, 'backoff' | 'shortestWatch'>,
    clock: Clock,
    random: () => number,
  ) {
    this.#clock = clock;
    this.#shortestWatch = settings.shortestWatch;
    this.#backoff = new Backoff(settings.backoff, random);
  }

  /** Changes will arrive from now on. */
  watchBegan(): void {
    this.#watchingSince = this.#clock.now();
  }

  /** A server that accepts watches and drops them at once is not well: only a watch that lasted is a success. */
  stepEnded(): void {
    const since = this.#watchingSince;
    this.#watchingSince = undefined;
    if (since === undefined || this.#clock.now() - since < this.#shortestWatch) return;
    this.#backoff.reset();
    this.#listedAfterExpiry = false;
  }

  /** Milliseconds until the next try; 0 for a list at once: a server that reports an expired version is well, unless it does so again and again. */
  delayAfter(failure: Error): number {
    if (isExpired(failure) && !this.#listedAfterExpiry) {
      this.#listedAfterExpiry = true;
      return 0;
    }
    const asked = failure instanceof ApiError ? (failure.retryAfter ?? 0) : 0;
    return Math.max(this.#backoff.next(), asked);
  }
}
