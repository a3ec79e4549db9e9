import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
  /** Maximum duration of the polling, in milliseconds. */
  readonly timeout: number;
  /** Milliseconds between two calls of `look`. Default: 500. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `look` repeatedly, at least once, until it returns a value.
 *
 * @returns the value of `look`; undefined if `look` returned no value before the timeout
 * @throws the signal's reason, and the errors of `look`
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
    // If the signal aborted, the loop above throws the signal's reason, so the AbortError of the timer is ignored.
    await sleep(Math.min(interval, left), undefined, { signal }).catch(() => undefined);
  }
}
