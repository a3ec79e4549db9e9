import type { Resource } from '../../api/index.ts';
import { keyText, type ObjectKey } from '../../kube/index.ts';
import { durationMs, type DurationLike } from '../duration.ts';

/** Result of a reconcile: nothing, or the delay after which the reconcile runs again, even without an event. */
export interface ReconcileResult {
  /** Delay in milliseconds. With 0 or less, the reconcile is retried with back-off, as after an error. */
  readonly requeueAfter: number;
}

/**
 * Requests another run after a delay, even without an event. Use it for state that no watch covers.
 *
 * @param delay milliseconds, or text such as `30s`, `5m`, `1h30m`; use `durationMs` to parse other text
 * @throws OpSdkError `runtime/invalid-duration`
 *
 * @example
 * return ready ? undefined : requeueAfter('30s');
 */
export function requeueAfter(delay: DurationLike): ReconcileResult {
  return { requeueAfter: durationMs(delay) };
}

/**
 * Returns the requested delay in milliseconds; undefined without one.
 *
 * @throws TypeError for an invalid result
 */
export function checkedDelay(result: ReconcileResult | undefined | void): number | undefined {
  if (!result) return undefined;
  const delay: unknown = result.requeueAfter;
  if (typeof delay === 'number' && Number.isFinite(delay)) return delay;
  throw new TypeError(
    `reconcile: expected nothing or requeueAfter('30s') to be returned, got ${JSON.stringify(result)}`,
  );
}

const waiting = Symbol.for('opsdk.waiting');

/**
 * Ends a run because an object does not exist yet, or is not as far as is needed. Return or throw it, from any depth. It is not an error:
 * nothing is counted as failed, no back-off grows, and the log has one line when the wait begins. Declare the kind in `owns` or `watches`,
 * so that the object's change starts the next run at once; without a change the next run is after `retryAfter`.
 *
 * @param retryAfter delay until the next run without a change. Default: 5m
 * @throws OpSdkError `runtime/invalid-duration`
 *
 * @example
 * const secret = await client.find(Secret, { namespace, name: site.spec.secretName });
 * if (secret === undefined) throw waitingFor(Secret, { namespace, name: site.spec.secretName });
 */
export function waitingFor(
  resource: Resource,
  key: ObjectKey,
  retryAfter: DurationLike = '5m',
): Error & ReconcileResult {
  const error = new Error(`${resource.kind} ${keyText(key)}`);
  return Object.assign(error, { name: 'Waiting', requeueAfter: durationMs(retryAfter), [waiting]: true });
}

/** Returns true for what {@link waitingFor} returns. */
export function isWaiting(value: unknown): value is Error & ReconcileResult {
  return value instanceof Error && waiting in value;
}

const brand = Symbol.for('opsdk.terminalError');

/**
 * Wraps an error that a retry cannot fix. The error is logged and counted, but the object is reconciled again only when the object or a
 * watched object changes.
 *
 * @param error the failure. The result has the same message, and this error as its cause
 *
 * @example
 * if (image === '') throw terminalError(new Error('spec.image is empty'));
 */
export function terminalError(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(message, { cause: error }), { name: 'TerminalError', [brand]: true });
}

/**
 * Returns true for a result of `terminalError`, also if it is the cause of another error. An AggregateError is terminal only if all of its
 * errors are terminal, because any other error may not occur at the next try.
 */
export function isTerminalError(error: unknown): boolean {
  return isTerminal(error, new Set());
}

/** @param seen errors that were already visited; needed because a chain of causes may be circular */
function isTerminal(error: unknown, seen: ReadonlySet<unknown>): boolean {
  if (!(error instanceof Error) || seen.has(error)) return false;
  if (isMarked(error)) return true;
  const path = new Set([...seen, error]);
  if (isTerminal(error.cause, path)) return true;
  if (!(error instanceof AggregateError) || error.errors.length === 0) return false;
  return error.errors.every((each) => isTerminal(each, path));
}

/** Returns the error that `terminalError` wraps, for the log. The wrapper itself adds nothing to the message and stack. */
export function unwrapTerminalError(error: unknown): unknown {
  return error instanceof Error && isMarked(error) && error.cause instanceof Error ? error.cause : error;
}

function isMarked(error: Error): boolean {
  return (error as Error & Record<symbol, unknown>)[brand] === true;
}

const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError, URIError];

/**
 * Returns true for an error that corresponds to a panic in Go: a mistake in the program, such as reading a property of undefined, and not a
 * failure of an external system. A TypeError with a cause does not count, because `fetch` reports failures of external systems in this way.
 */
export function isPanic(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  return error.cause === undefined && MISTAKES.some((mistake) => error instanceof mistake);
}
