import { type BackoffSettings, Backoff, type Clock } from '../../net/index.ts';
import {
  ApiError,
  isExpired,
  isForbidden,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isTypeNotServed,
  isUnauthorized,
} from '../client/api-error.ts';
import { isOpSdkError } from '../../../base/errors/index.ts';
import { TransportError } from '../transport/transport-error.ts';
import type { KubeObject } from '../../api/index.ts';
import type { WatchEvent } from './run-watch.ts';

/**
 * Settings for watches, lists and retries. Times are in milliseconds unless stated otherwise. The defaults are those of client-go, but
 * client-go resets its back-off only after two minutes without a failure.
 */
export interface ReflectorSettings {
  readonly backoff: BackoffSettings;
  /**
   * Minimum duration of a watch, in seconds. Each watch requests a random duration between `minWatchSeconds` and twice that value, so that
   * watches do not all restart at the same time.
   */
  readonly minWatchSeconds: number;
  /** Time after the requested duration at which the client ends a watch that the server has not ended. */
  readonly watchMargin: number;
  /**
   * Minimum duration of a successful watch. A shorter watch that brought no newer resource version counts as a failure. After a successful
   * watch, the next failure is followed by the shortest delay.
   */
  readonly shortestWatch: number;
  /**
   * Time without any event after which all objects are listed again. An API server normally sends a bookmark about every minute. After a
   * restore from a backup, it sends no event to a watch that starts at a resource version that the server has not reached.
   */
  readonly longestSilence: number;
  /**
   * Time for which the client only repeats a watch that fails with an internal error of the server or an unreadable event. After this time,
   * all objects are listed again.
   */
  readonly internalErrorPatience: number;
  /** Maximum number of objects per page of a LIST that is not served from the watch cache. */
  readonly pageSize: number;
}

export const defaultReflectorSettings: ReflectorSettings = {
  backoff: { initial: 800, factor: 2, maximum: 30_000, jitter: 1 },
  minWatchSeconds: 300,
  watchMargin: 5_000,
  shortestWatch: 1_000,
  longestSilence: 240_000,
  internalErrorPatience: 30_000,
  pageSize: 500,
};

/** Computes increasing delays after failures. Resets the delay after each watch that lasted for at least `shortestWatch`. */
export class Recovery {
  readonly #clock: Clock;
  readonly #shortestWatch: number;
  readonly #backoff: Backoff;
  /** Time at which the running watch was accepted, or at which its initial list was complete. */
  #watchingSince: number | undefined;
  /** True if the last list was made because the resource version had expired, and no watch has succeeded since that list. */
  #listedAfterExpiry = false;

  /** @param random returns a random number in [0, 1) */
  constructor(
    settings: Pick<ReflectorSettings, 'backoff' | 'shortestWatch'>,
    clock: Clock,
    random: () => number,
  ) {
    this.#clock = clock;
    this.#shortestWatch = settings.shortestWatch;
    this.#backoff = new Backoff(settings.backoff, random);
  }

  /** Records the time at which the watch started. */
  watchBegan(): void {
    this.#watchingSince = this.#clock.now();
  }

  /**
   * Resets the delays if the watch lasted for at least `shortestWatch`. A shorter watch does not count, because a server that accepts
   * watches and drops them immediately is not healthy. Returns true if a watch had started.
   */
  stepEnded(): boolean {
    const since = this.#watchingSince;
    this.#watchingSince = undefined;
    if (since === undefined) return false;
    if (this.#clock.now() - since >= this.#shortestWatch) {
      this.#backoff.reset();
      this.#listedAfterExpiry = false;
    }
    return true;
  }

  /**
   * Returns the milliseconds until the next list or watch. Returns 0 after an expired resource version, because a server that reports the
   * expiry is healthy. If the server reports it repeatedly, returns a delay.
   */
  delayAfter(failure: Error): number {
    if (isExpired(failure) && !this.#listedAfterExpiry) {
      this.#listedAfterExpiry = true;
      return 0;
    }
    const asked = failure instanceof ApiError ? (failure.retryAfter ?? 0) : 0;
    return Math.max(this.#backoff.next(), asked);
  }
}

/**
 * Remedy after a failed watch:
 * `rewatch` watches again from the last resource version; `relist` lists all objects again; `relist-consistent` lists all objects again
 * without sending the last resource version; `rewatch-patiently` is `rewatch` for a limited time and then `relist`.
 */
type WatchRemedy = 'rewatch' | 'rewatch-patiently' | 'relist' | 'relist-consistent';

/**
 * Returns the remedy for the failure of a watch whose initial list was complete. Same as client-go, with two exceptions: a broken
 * connection never causes a new list, and an unreadable event is not requested endlessly at the same version.
 */
export function remedyFor(error: unknown): WatchRemedy {
  if (isTooLargeResourceVersion(error)) return 'relist-consistent';
  if (isExpired(error)) return 'relist';
  if (error instanceof TransportError && error.code === 'kube/bad-response') return 'rewatch-patiently';
  if (error instanceof TransportError || isTooManyRequests(error) || isUnauthorized(error)) return 'rewatch';
  // The request was not sent because a token file or a credential plugin failed.
  if (isOpSdkError(error) && error.findings.every(({ code }) => code === 'kube/credentials-failed'))
    return 'rewatch';
  if (error instanceof ApiError && error.status >= 500) return 'rewatch-patiently';
  return 'relist';
}

/**
 * Returns true if the server will refuse the request until permissions or installed types change. Until then, the objects received earlier
 * may be out of date.
 */
export function isRefusal(error: unknown): boolean {
  return isForbidden(error) || isTypeNotServed(error) || (error instanceof ApiError && error.status === 404);
}

/**
 * Returns true for an error that a server without WatchList returns because the feature gate is off (422) or because it does not support
 * the parameters.
 */
export function mayMeanNoWatchList(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 405, 406, 415, 422, 501].includes(error.status);
}

/** Annotation of the bookmark that ends the initial events. Source: apimachinery `metav1.InitialEventsAnnotationKey`. */
const endAnnotation = 'k8s.io/initial-events-end';

/** Collects the objects of a streaming list until the list is complete, so that no reader sees a partial list. */
export class InitialEvents<T extends KubeObject> {
  readonly #objects = new Map<string, T>();

  /** Adds the object of an event. Returns true if the event ends the list. */
  take(event: WatchEvent<T>): boolean {
    const { type, object } = event;
    const { namespace = '', name = '', annotations } = object.metadata;
    if (type === 'BOOKMARK') return annotations?.[endAnnotation] === 'true';
    const key = `${namespace}/${name}`;
    if (type === 'DELETED') this.#objects.delete(key);
    else this.#objects.set(key, object);
    return false;
  }

  objects(): T[] {
    return [...this.#objects.values()];
  }
}

/**
 * Removes `metadata.managedFields`, which is often half of an object and not used by readers. Replaces the metadata by a copy instead of
 * deleting the property, because V8 stores an object with a deleted property as a hash table, which is three times as large and slower to
 * read.
 */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  object.metadata = metadata;
  return object;
}
