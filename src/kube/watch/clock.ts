import { onAbort } from '../transport/on-abort.ts';

/** Time as the reflector sees it; tests bring their own. */
export interface Clock {
  /** Milliseconds, monotonic: clock changes do not move it. */
  now(): number;
  /** Calls back once after `milliseconds`; returns how to call it off. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Waits, but not beyond the signal's abort. Never rejects. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const callOff = clock.after(milliseconds, () => {
      stopListening();
      resolve();
    });
    const stopListening = onAbort(signal, () => {
      callOff();
      resolve();
    });
  });
}
