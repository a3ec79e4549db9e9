import { Transient } from './failure.ts';
import type { RegistryClock, RegistryTiming } from './options.ts';

export interface RetrySettings {
  readonly clock: RegistryClock;
  readonly timing: RegistryTiming;
  readonly signal: AbortSignal;
  /** Called before each wait. */
  readonly onRetry: (why: string, milliseconds: number) => void;
}

/**
 * Does something until it ends otherwise than by a {@link Transient} error, with growing waits between the tries, or those
 * that the server asks for.
 * @param attempt is given the number of tries before it
 * @throws what the last attempt threw, of a Transient its failure; the signal's reason
 */
export async function withRetries<T>(
  attempt: (triesBefore: number) => Promise<T>,
  { clock, timing, signal, onRetry }: RetrySettings,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await attempt(tries);
    } catch (error) {
      if (!(error instanceof Transient)) throw error;
      if (tries >= timing.retries) throw error.failure;
      const { retryAfter } = error;
      if (retryAfter !== undefined && retryAfter > timing.longestRetryAfter) throw error.failure;
      const delay = delayOf(tries, retryAfter, clock, timing);
      onRetry(error.failure.findings[0].message, delay);
      await clock.wait(delay, signal);
    }
  }
}

/** Milliseconds to wait before another try; up to a quarter is chance: clients sent away together must not come back together. */
export function delayOf(
  triesBefore: number,
  retryAfter: number | undefined,
  clock: RegistryClock,
  timing: RegistryTiming,
): number {
  const own = Math.min(timing.firstDelay * 2 ** triesBefore, timing.longestDelay);
  return Math.round((retryAfter ?? own) + own * 0.25 * clock.random());
}
