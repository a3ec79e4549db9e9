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

const brand = Symbol.for('opsdk.terminalError');

/**
 * Wraps an error that a retry cannot fix: it is logged and counted, and the object is reconciled again only when it, or what the
 * controller watches, changes.
 *
 * @param error what went wrong; its message becomes that of the result, the error itself its cause
 *
 * @example
 * if (image === '') throw terminalError(new Error('spec.image is empty'));
 */
export function terminalError(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(message, { cause: error }), { name: 'TerminalError', [brand]: true });
}

/** True for what `terminalError` returned, also as the cause of another error; for an AggregateError if that is true for all of its errors: any other may succeed next time. */
export function isTerminalError(error: unknown): boolean {
  return isTerminal(error, new Set());
}

/** @param seen errors that led here: a chain of causes may lead back to itself */
function isTerminal(error: unknown, seen: ReadonlySet<unknown>): boolean {
  if (!(error instanceof Error) || seen.has(error)) return false;
  if (isMarked(error)) return true;
  const path = new Set([...seen, error]);
  if (isTerminal(error.cause, path)) return true;
  if (!(error instanceof AggregateError) || error.errors.length === 0) return false;
  return error.errors.every((each) => isTerminal(each, path));
}

/** The error that `terminalError` wraps, for the log: the mark adds nothing to its message and stack. */
export function unwrapTerminalError(error: unknown): unknown {
  return error instanceof Error && isMarked(error) && error.cause instanceof Error ? error.cause : error;
}

function isMarked(error: Error): boolean {
  return (error as Error & Record<symbol, unknown>)[brand] === true;
}

const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError, URIError];

/**
 * Returns true for an error for which Go would panic: a mistake in the program, such as reading a property of undefined, rather
 * than something that went wrong in the world. `fetch` throws a TypeError with a cause for the latter.
 */
export function isPanic(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  return error.cause === undefined && MISTAKES.some((mistake) => error instanceof mistake);
}
