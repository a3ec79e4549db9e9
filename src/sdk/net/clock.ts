import { onAbort } from './abort.ts';

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
