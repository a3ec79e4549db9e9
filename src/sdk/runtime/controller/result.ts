import { durationMs, type DurationLike } from '../duration.ts';

/** Result of a reconcile: nothing, or the delay until the next run without an event. */
export interface ReconcileResult {
  /** Milliseconds. 0 or less: retried with back-off, as after an error. */
  readonly requeueAfter: number;
}

/**
 * Requests another run after a delay, even without an event: for state that no watch covers.
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

const brand = Symbol.for('opsdk.terminalError');

/**
 * Wraps an error that a retry cannot fix: it is logged and counted, and the object is reconciled again only when the object or a watched
 * object changes.
 *
 * @param error the failure; the result has its message, and the error itself as its cause
 *
 * @example
 * if (image === '') throw terminalError(new Error('spec.image is empty'));
 */
export function terminalError(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(message, { cause: error }), { name: 'TerminalError', [brand]: true });
}

/**
 * Returns true for a result of `terminalError`, also as the cause of another error; for an AggregateError, if all of its errors are
 * terminal: any other may succeed at the next try.
 */
export function isTerminalError(error: unknown): boolean {
  return isTerminal(error, new Set());
}

/** @param seen errors that were already visited, as a chain of causes may be circular */
function isTerminal(error: unknown, seen: ReadonlySet<unknown>): boolean {
  if (!(error instanceof Error) || seen.has(error)) return false;
  if (isMarked(error)) return true;
  const path = new Set([...seen, error]);
  if (isTerminal(error.cause, path)) return true;
  if (!(error instanceof AggregateError) || error.errors.length === 0) return false;
  return error.errors.every((each) => isTerminal(each, path));
}

/** Returns the error that `terminalError` wraps, for the log: the wrapper adds nothing to its message and stack. */
export function unwrapTerminalError(error: unknown): unknown {
  return error instanceof Error && isMarked(error) && error.cause instanceof Error ? error.cause : error;
}

function isMarked(error: Error): boolean {
  return (error as Error & Record<symbol, unknown>)[brand] === true;
}

const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError, URIError];

/**
 * Returns true for an error for which Go would panic: a mistake in the program, such as reading a property of undefined, rather than a
 * failure of an external system. `fetch` reports such failures as a TypeError with a cause.
 */
export function isPanic(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  return error.cause === undefined && MISTAKES.some((mistake) => error instanceof mistake);
}
