import { setMaxListeners } from 'node:events';

/** A monotonic clock for waits, so that a correction of the system time neither delays nor repeats work. Tests pass their own. */
export interface Clock {
  /** Milliseconds since some fixed point; never goes back. */
  now(): number;
  /** Calls back once, not before `milliseconds` have passed. Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest delay that setTimeout supports; it fires immediately for longer ones. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of this process: `performance.now` and `setTimeout`, without its 24.8 day limit. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const due = performance.now() + milliseconds;
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const left = due - performance.now();
      timer = setTimeout(
        left > LONGEST_TIMER_MS ? arm : callback,
        Math.min(Math.max(left, 0), LONGEST_TIMER_MS),
      );
    };
    arm();
    return () => clearTimeout(timer);
  },
};

/** Waits, at most until the signal aborts. Never rejects. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(milliseconds, () => {
      stopListening();
      resolve();
    });
    const stopListening = onAbort(signal, () => {
      cancel();
      resolve();
    });
  });
}

/** Returns a thrown value, or a signal's reason, as an Error. */
export function toError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value), { cause: value });
}

const nothing = (): void => undefined;

/**
 * Calls back when the signal aborts, immediately if it already has. Returns a function that removes the listener. Sets no limit on the
 * number of listeners, as all requests of a process share the manager's signal.
 */
export function onAbort(signal: AbortSignal | undefined, callback: (reason: Error) => void): () => void {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    callback(toError(signal.reason));
    return nothing;
  }
  setMaxListeners(0, signal);
  const listener = (): void => callback(toError(signal.reason));
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/**
 * Waits for shared work, at most until the signal aborts or the timeout (milliseconds) passes; the work itself continues.
 *
 * @throws the signal's reason; the error of `late`; the errors of the work
 */
export function waitFor<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  timeout?: number,
  late: () => Error = () => new Error('not in time'),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopWaiting = giveUpOn(signal, timeout, reject, () => reject(late()));
    work.then(resolve, reject).finally(stopWaiting);
  });
}

/** Reports the first of the signal's abort and the timeout (milliseconds), once. Returns a function that cancels both. */
export function giveUpOn(
  signal: AbortSignal | undefined,
  timeout: number | undefined,
  onAborted: (reason: Error) => void,
  onTimeout: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopListening = onAbort(signal, (reason) => {
    clearTimeout(timer);
    onAborted(reason);
  });
  if (timeout !== undefined && signal?.aborted !== true) timer = setTimeout(onTimeout, timeout);
  return () => {
    stopListening();
    clearTimeout(timer);
  };
}

/** Resolves when the signal aborts, immediately if it already has. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, () => resolve()));
}

/** Returns true for the errors of work that was aborted by its signal: the signal's reason, or Node's AbortError with that reason. */
export function isAbort(error: unknown, reason: unknown): boolean {
  return error === reason || (error instanceof Error && error.name === 'AbortError');
}
