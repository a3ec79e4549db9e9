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
 * Times in milliseconds unless stated otherwise. The defaults are those of client-go, except that its back-off is reset only after two
 * minutes without a failure.
 */
export interface ReflectorSettings {
  readonly backoff: BackoffSettings;
  /**
   * Lower limit of the duration of a watch, in seconds: each watch requests a random duration between this and twice this value, so that
   * load spreads.
   */
  readonly minWatchSeconds: number;
  /** Time after the requested duration at which the client ends a watch that the server has not ended. */
  readonly watchMargin: number;
  /**
   * A watch that ends earlier without a newer resource version counts as a failure. A watch that was open for at least this time counts as
   * a success: the next failure is followed by the shortest delay.
   */
  readonly shortestWatch: number;
  /**
   * Time without any event after which a watch is distrusted, and everything is listed again: an API server sends a bookmark about every
   * minute, but no event to a watch at a version that it has not reached (after a restore from a backup).
   */
  readonly longestSilence: number;
  /**
   * Time during which a watch that fails with an internal error of the server, or with an unreadable event, is repeated before everything
   * is listed again.
   */
  readonly internalErrorPatience: number;
  /** Objects per page of a LIST that is not served from the watch cache. */
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

/** Computes increasing delays after failures; resets them after each watch that lasted. */
export class Recovery {
  readonly #clock: Clock;
  readonly #shortestWatch: number;
  readonly #backoff: Backoff;
  /** Time at which the running watch was accepted, or at which its initial list was complete. */
  #watchingSince: number | undefined;
  /** True if the last list was made because the version had expired, and no watch has succeeded since. */
  #listedAfterExpiry = false;

  /** @param random in [0, 1) */
  constructor(
    settings: Pick<ReflectorSettings, 'backoff' | 'shortestWatch'>,
    clock: Clock,
    random: () => number,
  ) {
    this.#clock = clock;
    this.#shortestWatch = settings.shortestWatch;
    this.#backoff = new Backoff(settings.backoff, random);
  }

  /** Notes that the watch has started. */
  watchBegan(): void {
    this.#watchingSince = this.#clock.now();
  }

  /** Resets the delays if the watch lasted: a server that accepts watches and drops them immediately is not healthy. */
  stepEnded(): void {
    const since = this.#watchingSince;
    this.#watchingSince = undefined;
    if (since === undefined || this.#clock.now() - since < this.#shortestWatch) return;
    this.#backoff.reset();
    this.#listedAfterExpiry = false;
  }

  /**
   * Returns the milliseconds until the next try; 0 to list immediately: a server that reports an expired version is healthy, unless it does
   * so repeatedly.
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
 * `rewatch` continues at the last resource version; `relist` reads everything again; `relist-consistent` does so without trusting the last
 * resource version; `rewatch-patiently` is `rewatch` for a limited time and then `relist`.
 */
type WatchRemedy = 'rewatch' | 'rewatch-patiently' | 'relist' | 'relist-consistent';

/**
 * Returns the remedy for a watch that had been in sync. Same as client-go, except that a broken connection never causes a new list, and
 * that an unreadable event is not requested endlessly at the same version.
 */
export function remedyFor(error: unknown): WatchRemedy {
  if (isTooLargeResourceVersion(error)) return 'relist-consistent';
  if (isExpired(error)) return 'relist';
  if (error instanceof TransportError && error.code === 'kube/bad-response') return 'rewatch-patiently';
  if (error instanceof TransportError || isTooManyRequests(error) || isUnauthorized(error)) return 'rewatch';
  // The request was not sent, due to a token file or a plugin.
  if (isOpSdkError(error) && error.findings.every(({ code }) => code === 'kube/credentials-failed'))
    return 'rewatch';
  if (error instanceof ApiError && error.status >= 500) return 'rewatch-patiently';
  return 'relist';
}

/** Returns true if the server will refuse the request until permissions or installed types change: the known objects may be out of date. */
export function isRefusal(error: unknown): boolean {
  return isForbidden(error) || isTypeNotServed(error) || (error instanceof ApiError && error.status === 404);
}

/** Returns true for answers of servers without WatchList: the feature gate is off (422), or the server does not support the parameters. */
export function mayMeanNoWatchList(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 405, 406, 415, 422, 501].includes(error.status);
}

/** Annotation of the bookmark that ends the initial events. Source: apimachinery `metav1.InitialEventsAnnotationKey`. */
const endAnnotation = 'k8s.io/initial-events-end';

/** Collects the objects of a streaming list until it is complete, so that no reader sees a partial list. */
export class InitialEvents<T extends KubeObject> {
  readonly #objects = new Map<string, T>();

  /** Returns true if this event ends the list. */
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
 * Removes metadata.managedFields, which is often half of an object, and of no use to readers. Replaces the metadata by a copy instead of
 * deleting the property: after a deletion V8 stores an object as a hash table, three times as large and slower to read.
 */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  object.metadata = metadata;
  return object;
}
