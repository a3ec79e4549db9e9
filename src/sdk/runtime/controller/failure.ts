import { messageOf } from '../../../base/errors/index.ts';
import { durationText } from '../../../base/util/duration-text.ts';
import { isConflict } from '../../kube/index.ts';
import type { Logger } from '../create-logger.ts';
import { isTerminalError, unwrapTerminalError } from './result.ts';

/** A failed run of a controller. */
export interface Failure {
  readonly error: unknown;
  /** Number of the try. */
  readonly attempt: number;
  /** Milliseconds until the next try; undefined if the run is not retried. */
  readonly delay: number | undefined;
}

/**
 * Returns true for a conflict with another writer, which is expected and which the retry resolves. A conflict of field managers is not one,
 * because a retry does not resolve it.
 */
export function isPassingConflict(error: unknown): boolean {
  return isConflict(error) && fieldConflicts(error).length === 0;
}

/** Logs a failed run: a passing conflict as information, everything else as an error. */
export function logFailure(log: Logger, { error, attempt, delay }: Failure): void {
  const retry = { attempt, ...(delay === undefined ? {} : { retryAfter: durationText(delay) }) };
  const terminal = isTerminalError(error);
  if (isPassingConflict(error)) {
    log.info({ ...retry, reason: messageOf(error) }, 'Conflict; reconciling again');
    return;
  }
  const cause = unwrapTerminalError(error);
  const conflicts = fieldConflicts(cause);
  log.error(
    {
      error: cause,
      ...retry,
      ...(terminal ? { terminal } : {}),
      ...(conflicts.length === 0 ? hintFor(error) : { conflicts, hint: conflictHint }),
    },
    conflicts.length === 0 ? 'Reconciler error' : 'Field manager conflict',
  );
}

/** Logs an error of `onError` of a controller, or of the Event in its place. */
export function logErrorHandler(log: Logger, error: unknown): void {
  if (isPassingConflict(error)) log.info({ reason: messageOf(error) }, 'Conflict; failure not reported');
  else log.error({ error }, 'Failure not reported');
}

/**
 * Returns the fields in which an apply without force conflicts with other managers, grouped by the manager that owns the fields. Empty for
 * any other error.
 */
function fieldConflicts(error: unknown): readonly { readonly manager: string; readonly fields: string[] }[] {
  if (!isConflict(error)) return [];
  const fieldsOf = new Map<string, string[]>();
  for (const { reason, message = '', field = '' } of error.details?.causes ?? []) {
    if (reason !== 'FieldManagerConflict') continue;
    const manager = message.replace(/^conflict with /, '');
    fieldsOf.set(manager, [...(fieldsOf.get(manager) ?? []), field]);
  }
  return [...fieldsOf].map(([manager, fields]) => ({ manager, fields }));
}

const conflictHint =
  'a retry does not cure this: leave the fields out, apply without `force: false` to own them, or end the other manager';

/** Returns a hint for a frequent mistake that V8's error message does not explain: a change of a frozen object. */
function hintFor(error: unknown): { readonly hint?: string } {
  if (
    !(error instanceof TypeError) ||
    !/read only property|not extensible|Cannot delete property/.test(error.message)
  )
    return {};
  return { hint: 'objects from the cache are frozen: change a copy, mutableCopy(object)' };
}
