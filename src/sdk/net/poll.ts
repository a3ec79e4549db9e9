import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
  /** Milliseconds until it is given up. */
  readonly timeout: number;
  /** Milliseconds between two looks. Default: 500. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks again and again until there is something to see, at least once.
 *
 * @returns what `look` gave; undefined if it was undefined until the end of the time
 * @throws the signal's reason, and what `look` throws
 */
export async function poll<T>(
  look: () => Promise<T | undefined>,
  { timeout, interval = 500, signal }: PollOptions,
): Promise<T | undefined> {
  const deadline = performance.now() + timeout;
  for (;;) {
    signal?.throwIfAborted();
    const seen = await look();
    const left = deadline - performance.now();
    if (seen !== undefined || left <= 0) return seen;
    // The reason of the signal is thrown above; the timer has only one of its own.
    await sleep(Math.min(interval, left), undefined, { signal }).catch(() => undefined);
  }
}
