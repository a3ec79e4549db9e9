import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds to wait before each further attempt. */
export type Delays = readonly number[];

/** Five attempts within about eight seconds. */
export const defaultDelays: Delays = [250, 1000, 2500, 5000];

/**
 * Calls a function until it succeeds, or fails in a way that another attempt does not mend.
 *
 * @param isRetryable returns true if another attempt may succeed
 * @throws the error of the last attempt, or the reason of the signal
 */
export async function retry<T>(
  call: (attempt: number) => Promise<T>,
  isRetryable: (error: unknown) => boolean,
  delays: Delays,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await call(attempt);
    } catch (error) {
      signal.throwIfAborted();
      const delay = delays[attempt];
      if (delay === undefined || !isRetryable(error)) throw error;
      // Clients that failed at the same time come back at different ones.
      await pause(delay * (0.5 + Math.random() / 2), undefined, { signal });
    }
  }
}
