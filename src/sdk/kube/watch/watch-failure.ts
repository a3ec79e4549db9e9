import { isOpSdkError } from '../../../base/errors/index.ts';
import {
  ApiError,
  isExpired,
  isForbidden,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isTypeNotServed,
  isUnauthorized,
} from '../client/api-error.ts';
import { TransportError } from '../transport/transport-error.ts';

/**
 * Remedy after a failed watch:
 * `rewatch` goes on at the last resource version; `relist` reads everything again; `relist-consistent` does so without trusting
 * the last resource version; `rewatch-patiently` is `rewatch` for a while and then `relist`.
 */
export type WatchRemedy = 'rewatch' | 'rewatch-patiently' | 'relist' | 'relist-consistent';

/**
 * The remedy for a watch that had been in sync. As client-go, except that a broken connection never causes a new list, and that
 * an event which cannot be read is not requested at the same version without end.
 */
export function remedyFor(error: unknown): WatchRemedy {
  if (isTooLargeResourceVersion(error)) return 'relist-consistent';
  if (isExpired(error)) return 'relist';
  if (error instanceof TransportError && error.code === 'kube/bad-response') return 'rewatch-patiently';
  if (error instanceof TransportError || isTooManyRequests(error) || isUnauthorized(error)) return 'rewatch';
  // The request was not even sent: a token file or a plugin.
  if (isOpSdkError(error) && error.findings.every(({ code }) => code === 'kube/credentials-failed'))
    return 'rewatch';
  if (error instanceof ApiError && error.status >= 500) return 'rewatch-patiently';
  return 'relist';
}

/** The server will not do it until somebody changes something: what is known may be wrong by now. */
export function isRefusal(error: unknown): boolean {
  return isForbidden(error) || isTypeNotServed(error) || (error instanceof ApiError && error.status === 404);
}

/** Answers of servers without WatchList: the feature gate is off (422), or the parameters are unknown to them. */
export function mayMeanNoWatchList(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 405, 406, 415, 422, 501].includes(error.status);
}
