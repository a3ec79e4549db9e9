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

/** Times in milliseconds unless said otherwise. The defaults are client-go's, except that its back-off ends only after two minutes of health. */
export interface ReflectorSettings {
  readonly backoff: BackoffSettings;
  /** Each watch asks the server to end it after a random time from here to twice this, in seconds, so that load spreads. */
  readonly minWatchSeconds: number;
  /** A watch that has not ended so long after the time that the server was given is ended here. */
  readonly watchMargin: number;
  /**
   * A watch that ends sooner and has not brought its version forward counts as a failure. One that was open for this long is a
   * success: the next failure is followed by the shortest delay.
   */
  readonly shortestWatch: number;
  /**
   * A watch that was silent for this long is distrusted, and everything is listed again: an API server sends a bookmark about
   * every minute, but nothing at all to a watch at a version that it has not reached (after a restore from a backup).
   */
  readonly longestSilence: number;
  /**
   * For so long a watch that fails with an internal error of the server, or with an event that cannot be read, is repeated
   * before everything is listed again.
   */
  readonly internalErrorPatience: number;
  /** Objects a page of a LIST that is not served from the watch cache. */
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

/** Delays after failures: growing ones, from the shortest one again after each watch that lasted. */
export class Recovery {
  readonly #clock: Clock;
  readonly #shortestWatch: number;
  readonly #backoff: Backoff;
  /** When the watch that is running was accepted, or its initial list complete. */
  #watchingSince: number | undefined;
  /** The last list was made because the version had expired, and no watch has been a success since. */
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

  /** A server that accepts watches and drops them at once is not well: only a watch that lasted is a success. */
  stepEnded(): void {
    const since = this.#watchingSince;
    this.#watchingSince = undefined;
    if (since === undefined || this.#clock.now() - since < this.#shortestWatch) return;
    this.#backoff.reset();
    this.#listedAfterExpiry = false;
  }

  /** Milliseconds until the next try; 0 for a list at once: a server that reports an expired version is well, unless it does so again and again. */
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
 * `rewatch` goes on at the last resource version; `relist` reads everything again; `relist-consistent` does so without trusting
 * the last resource version; `rewatch-patiently` is `rewatch` for a while and then `relist`.
 */
type WatchRemedy = 'rewatch' | 'rewatch-patiently' | 'relist' | 'relist-consistent';

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

/** On the bookmark that ends the initial events. Source: apimachinery `metav1.InitialEventsAnnotationKey`. */
const endAnnotation = 'k8s.io/initial-events-end';

/** The objects of a streaming list until it is complete; kept apart, so that nobody sees half of it. */
export class InitialEvents<T extends KubeObject> {
  readonly #objects = new Map<string, T>();

  /** True when this event ends the list. */
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
 * Removes metadata.managedFields: often half of an object, and of no use to a reader. Gives the object a copy of the rest of its
 * metadata: V8 keeps an object as a hash table, three times as large and slower to read, once a property from its middle is deleted.
 */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  object.metadata = metadata;
  return object;
}
