import { messageOf } from '../../../../base/errors/index.ts';
import { ApiError, type Status } from '../../../kube/index.ts';
import { secrets } from '../../../net/index.ts';
import { isPanic } from '../../controller/is-panic.ts';

/** A status of failure. */
export function failure(code: number, reason: string, message: string): Status {
  return { kind: 'Status', status: 'Failure', code, reason, message: secrets.redact(message) };
}

/**
 * Turns an error of a webhook into what the user of the API server sees: an answer of the API server as it was, a mistake in the program as an
 * internal error, and everything else as the reason why the request is forbidden.
 */
export function refusalOf(error: unknown): Status {
  if (error instanceof ApiError) {
    const { status: code, reason, serverMessage, details } = error;
    return { ...failure(code, reason, serverMessage), ...(details === undefined ? {} : { details }) };
  }
  return isPanic(error)
    ? failure(500, 'InternalError', `the webhook failed: ${messageOf(error)}`)
    : failure(403, 'Forbidden', messageOf(error));
}
