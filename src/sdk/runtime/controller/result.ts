import { durationMs, type DurationLike } from '../duration.ts';

/** Result of a reconcile: nothing, or when to run again without an event. */
export interface ReconcileResult {
  /** Milliseconds. 0 or less: with back-off, as after an error. */
  readonly requeueAfter: number;
}

/**
 * Asks for another run after some time, also without an event: for states that no watch tells about.
 *
 * @param delay milliseconds, or text such as `30s`, `5m`, `1h30m`; `durationMs` reads other text
 * @throws OpSdkError `runtime/invalid-duration`
 *
 * @example
 * return ready ? undefined : requeueAfter('30s');
 */
export function requeueAfter(delay: DurationLike): ReconcileResult {
  return { requeueAfter: durationMs(delay) };
}
