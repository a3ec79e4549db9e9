import { defaultDelays, retry, type Delays } from '../retry.ts';
import { StoreError } from './store-error.ts';

export interface StoreCallOptions {
  /** Waits between attempts. Default: five attempts within about eight seconds. */
  readonly delays?: Delays | undefined;
  /** Milliseconds without data after which a request fails. Default: 60,000. */
  readonly idleMs?: number | undefined;
}

/**
 * Calls a store until it answers, or the attempts are used up. An answer that is an error for good ends it at once.
 *
 * @param what the call in messages, such as `put s3://bucket/key`
 * @param host the server in messages
 * @throws StoreError
 */
export function callStore<T>(
  call: (attempt: number) => Promise<T>,
  {
    what,
    host,
    delays = defaultDelays,
    signal,
  }: { what: string; host: string; delays?: Delays | undefined; signal: AbortSignal },
): Promise<T> {
  const attempt = async (number: number): Promise<T> => {
    try {
      return await call(number);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      signal.throwIfAborted();
      const message = `${what}: no answer from ${host}: ${causeOf(error)}`;
      throw new StoreError('StoreUnreachable', message, { retryable: true, cause: error });
    }
  };
  const isRetryable = (error: unknown): boolean => error instanceof StoreError && error.retryable;
  return retry(attempt, isRetryable, delays, signal);
}

/** Returns what an error of Node says; those of several addresses have an empty message and a code. */
function causeOf(error: unknown): string {
  const { message = '', code = '' } = error as NodeJS.ErrnoException;
  return message === '' ? code : message;
}
