import { setMaxListeners } from 'node:events';

/** Time as it is waited for: monotonic, so that a corrected wall clock neither delays nor repeats work. Tests inject their own. */
export interface Clock {
  /** Milliseconds since some fixed point; never goes back. */
  now(): number;
  /** Calls back once, not before `milliseconds` have passed. Gives a function that takes the call back. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest delay that setTimeout takes; it fires at once for anything beyond. */
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

/** Waits, but not beyond the signal's abort. Never rejects. */
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
 * Calls back when the signal aborts, at once if it already has. Returns how to stop listening.
 * A manager's signal is shared by every request of a process, hence no limit on its listeners.
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
 * Waits for work that others share, but not beyond the signal's abort or the timeout (milliseconds); the work itself goes on.
 *
 * @throws the signal's reason; what `late` gives; what the work throws
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

/**
 * The end of a wait: whichever comes first of the signal's abort and the timeout (milliseconds) is reported, once.
 * Returns how to call both off.
 */
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

/** Settles when the signal aborts, at once if it already has. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, () => resolve()));
}

/** True for what work throws that obeys its signal: the signal's reason, or Node's AbortError with it. */
export function isAbort(error: unknown, reason: unknown): boolean {
  return error === reason || (error instanceof Error && error.name === 'AbortError');
}
