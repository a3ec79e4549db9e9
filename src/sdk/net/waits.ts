import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';

/**
 * The time of a part of the runtime: a monotonic time for waits, so that a correction of the system time neither delays nor repeats work,
 * and the time of day for what is written into objects. Tests pass their own clock.
 */
export interface Clock {
  /** Milliseconds since some fixed point; never goes back. */
  now(): number;
  /** Date and time of day. */
  today(): Date;
  /** Calls `callback` once, not before `milliseconds` have passed. Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Longest delay that setTimeout supports. For a longer delay, setTimeout fires immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of this process. Uses `performance.now`, `Date` and `setTimeout`, but without the limit of 24.8 days that setTimeout has. */
export const systemClock: Clock = {
  now: () => performance.now(),
  today: () => new Date(),
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

const clocks = new AsyncLocalStorage<Clock>();

/**
 * Calls `run` so that {@link currentClock} returns the given clock in it, and in all that it starts. For clocks of tests: the clock of the
 * process is the default, and needs no storage.
 */
export function withClock<T>(clock: Clock, run: () => T): T {
  return clock === systemClock ? run() : clocks.run(clock, run);
}

/** Returns the clock of the running controller, for functions that are called in a reconcile without its context. */
export function currentClock(): Clock {
  return clocks.getStore() ?? systemClock;
}

/**
 * Returns the function bound to the async context of this call. For background work that goes on after its caller, and that must not pass
 * for a part of it, for example in traces.
 */
export function inContext<Args extends unknown[], R>(call: (...args: Args) => R): (...args: Args) => R {
  return AsyncResource.bind(call);
}

/** Waits for the given time, or until the signal aborts. Never rejects. */
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

/** Returns a thrown value, or the reason of a signal, as an Error. */
export function toError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value), { cause: value });
}

const nothing = (): void => undefined;

/**
 * Calls `callback` when the signal aborts, or immediately if it already has. Returns a function that removes the listener. Any number of
 * listeners is possible, because all requests of a process share the manager's signal.
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
 * Waits for work that other callers share, until the signal aborts or the timeout (milliseconds) passes. The work itself continues.
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

/**
 * Calls back once: when the signal aborts or when the timeout (milliseconds) passes, depending on which happens first. Returns a function
 * that cancels both.
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

/** Resolves when the signal aborts, immediately if it already has. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, () => resolve()));
}

/** Returns true if an error is due to an abort of the work: it is the signal's reason, or an AbortError of Node. */
export function isAbort(error: unknown, reason: unknown): boolean {
  return error === reason || (error instanceof Error && error.name === 'AbortError');
}
