import {
  metadataOnly,
  type KubeObject,
  type PartialObjectMetadata,
  type Resource,
  type Stored,
} from '../../api/index.ts';
import type { ObjectKey } from '../../kube/index.ts';
import type { CachedReader } from '../cache/index.ts';
import type { OtherClusterClient } from '../client/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { pause, currentClock, type Clock, Backoff, waitFor } from '../../net/index.ts';
import { durationMs, type DurationLike } from '../duration.ts';
import type { Logger } from '../create-logger.ts';
import { durationText } from '../../../base/util/duration-text.ts';
import type { ScheduleTimes } from './cron-times.ts';
import type { Predicate } from './predicates.ts';

/** Keys of objects to reconcile. The `metadata` of an object is accepted as its key. */
export type ObjectKeys = readonly ObjectKey[] | ReadonlySet<ObjectKey>;

/** Second argument of `map`, after the object. */
export interface MapContext {
  /** Client that reads from the cache. */
  readonly client: CachedReader;
  /** Returns the current time in milliseconds since 1970, like the `now` of a reconcile. */
  readonly now: () => number;
}

/** A cluster other than the manager's own, and a client of it. Created by `manager.addCluster`. */
export interface ClusterHandle {
  /** Name of the cluster in logs and metrics. */
  readonly name: string;
  /**
   * Client of the cluster. Reads the kinds that are watched in the cluster from their cache, reads other kinds with `live`, and writes to
   * the cluster.
   */
  readonly client: OtherClusterClient;
}

/** Options that select the changes of a watched kind that cause a reconcile, and the objects to reconcile. */
export interface WatchOptions<T extends KubeObject> {
  /**
   * Returns the keys of the `for` objects to reconcile when this object has changed. For an update, called with the old and the new state.
   * If changes arrive faster than `map` ends, intermediate states are skipped. If `map` throws, it is called again with the controller's
   * back-off until it succeeds; `terminalError(error)` drops the change.
   */
  map(object: Stored<T>, context: MapContext): ObjectKeys | Promise<ObjectKeys>;
  /** Predicates for changes of the watched kind. A change causes a reconcile if all predicates accept it. Default: every change. */
  readonly predicates?: readonly Predicate<T>[];
  /** True: watch only the metadata of the objects, like `watch(metadataOnly(K), …)`. Default: false. */
  readonly metadataOnly?: boolean;
  /** Cluster in which the kind is watched. Default: the manager's own cluster. */
  readonly cluster?: ClusterHandle;
}

/** A watched kind, with the function that maps each object of the kind to the objects to reconcile. Created by `watch`. */
export interface ObjectWatch {
  /** The watched kind. */
  readonly resource: Resource;
  /** Cluster in which the kind is watched; undefined for the manager's own cluster. */
  readonly cluster?: ClusterHandle | undefined;
  /** Returns true if a change causes a reconcile. */
  accepts: Predicate;
  /** Returns the keys of the objects to reconcile when this object has changed. */
  map(object: Stored<KubeObject>, context: MapContext): Iterable<ObjectKey> | Promise<Iterable<ObjectKey>>;
}

/**
 * Lets a controller watch a kind that it does not own.
 *
 * @example
 * watches: [
 *   watch(Secret, {
 *     map: async (secret, { client }) => {
 *       const sites = await client.list(Site, { namespace: secret.metadata.namespace });
 *       return sites.items.filter((site) => site.spec.secretName === secret.metadata.name).map((site) => site.metadata);
 *     },
 *   }),
 * ]
 */
export function watch<T extends KubeObject, M extends boolean = false>(
  resource: Resource<T>,
  options: WatchOptions<M extends true ? PartialObjectMetadata<T> : T> & { readonly metadataOnly?: M },
): ObjectWatch {
  const predicates = (options.predicates ?? []) as readonly Predicate[];
  return {
    resource: options.metadataOnly === true ? metadataOnly(resource) : resource,
    cluster: options.cluster,
    accepts: (change) => predicates.every((predicate) => predicate(change)),
    // The cast is safe because the cache passes only objects of the watched kind.
    map: (object, context) => options.map(object as Stored<never>, context),
  };
}

/** Argument of a source's `keys` function. */
export interface SourceContext {
  /** Client that reads from the cache. */
  readonly client: CachedReader;
  /** Signal that aborts when the operator stops. */
  readonly signal: AbortSignal;
  /** Returns the current time in milliseconds since 1970, like the `now` of a reconcile. */
  readonly now: () => number;
}

/** A source of keys to reconcile other than a watched kind. Created by {@link every} or {@link from}, or implemented by the user. */
export interface KeySource {
  /** Name of the source in logs. */
  readonly name: string;
  /** Function that created the source, for observers of reconciles. Default: `from`. */
  readonly type?: 'every' | 'from' | undefined;
  /** Loads what the source needs before it is read. The test API waits for it, so that its clock does not move meanwhile. */
  readonly load?: (() => Promise<unknown>) | undefined;
  /**
   * Yields keys of objects to reconcile as they arrive. When the iteration ends, the source is not read again. When the iteration throws,
   * the error is logged and `keys` is called again, after a delay that grows from one second to a minute.
   */
  keys(context: SourceContext): AsyncIterable<Iterable<ObjectKey>>;
}

/** Times of day at which `every` runs. */
export interface CronSchedule {
  /** Minute, hour, day of the month, month and day of the week: `0 3 * * *`. A sixth field in front is for seconds. */
  readonly cron: string;
  /** Time zone of the times: `Europe/Berlin`. Default: UTC, whatever the zone of the process is. */
  readonly timeZone?: string | undefined;
}

/**
 * Reconciles objects at regular intervals, or at times of day. Use it for external state without change notifications.
 *
 * @param delay between the end of one round and the start of the next; the first round starts after one delay. Or a schedule: times that
 * pass while a round runs, or while the operator does not run, are skipped
 * @param keys returns the keys of the objects to reconcile, for example of all objects of a list from the cache. If it throws, the error is
 * logged, and the next round starts after a back-off and the delay
 * @throws OpSdkError `runtime/invalid-duration`, also for a schedule with another number of fields or an unknown time zone
 *
 * @example
 * watches: [every('10m', async ({ client }) => (await client.list(Bucket)).items.map((bucket) => bucket.metadata))]
 */
export function every(
  delay: DurationLike | CronSchedule,
  keys: (context: SourceContext) => ObjectKeys | Promise<ObjectKeys>,
): KeySource {
  if (typeof delay === 'object') return cronSource(delay, keys);
  const milliseconds = durationMs(delay);
  if (milliseconds <= 0) {
    throw new OpSdkError({
      code: 'runtime/invalid-duration',
      message: `every: expected a duration of more than 0, got ${JSON.stringify(delay)}`,
      fix: ["use milliseconds, or text such as '10m'"],
    });
  }
  return {
    name: `every ${String(delay)}`,
    type: 'every',
    async *keys(context) {
      const clock = currentClock();
      for (;;) {
        await pause(clock, milliseconds, context.signal);
        if (context.signal.aborted) return;
        yield await keys(context);
      }
    },
  };
}

function cronSource(
  { cron, timeZone = 'UTC' }: CronSchedule,
  keys: (context: SourceContext) => ObjectKeys | Promise<ObjectKeys>,
): KeySource {
  checkSchedule(cron, timeZone);
  // Imported on demand, so that an operator without schedules does not load the parser.
  const load = async () => import('./cron-times.ts');
  return {
    name: `every ${cron} ${timeZone}`,
    type: 'every',
    load,
    async *keys(context) {
      const { cronTimes } = await load();
      for await (const _ of cronTimes(cron, timeZone, context.signal)) yield await keys(context);
    },
  };
}

/**
 * Reads a schedule that an object has, such as `spec.schedule`, as `every` reads one that is written in the source. The times that pass
 * while the operator does not run are not lost: compare `last(now())` with the time of the last run in the status, and come back with
 * `requeueAfter(next(now()) - now())`.
 *
 * @throws OpSdkError `runtime/invalid-duration` for text that is not a schedule, and for an unknown time zone
 *
 * @example
 * const { last, next } = await readSchedule({ cron: backup.spec.schedule, timeZone: backup.spec.timeZone });
 */
export async function readSchedule({ cron, timeZone = 'UTC' }: CronSchedule): Promise<ScheduleTimes> {
  checkSchedule(cron, timeZone);
  const { scheduleTimes } = await import('./cron-times.ts');
  return scheduleTimes(cron, timeZone);
}

/** Checks what can be checked without the parser of schedules, which is loaded when the source is read. */
function checkSchedule(cron: string, timeZone: string): void {
  const refuse = (message: string, fix: string): OpSdkError =>
    new OpSdkError({ code: 'runtime/invalid-duration', message, fix: [fix] });
  const fields = cron.trim().split(/\s+/).length;
  if (fields !== 5 && fields !== 6)
    throw refuse(
      `expected a schedule of 5 fields, got ${JSON.stringify(cron)}`,
      "write minute, hour, day of the month, month and day of the week: '0 3 * * *'",
    );
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw refuse(
      `expected a time zone, got ${JSON.stringify(timeZone)}`,
      "use a name of the IANA time zone database, such as 'Europe/Berlin'",
    );
  }
}

/**
 * Reconciles objects on events from outside of the cluster, such as a queue, a webhook, a file watcher.
 *
 * @param name of the source in logs
 * @param iterable a function that creates the iterable, and is called again after an error. An iterable that is passed directly is read
 * only once, so the source ends for good after an error
 * @param keys returns the keys of the objects that an item of the iterable affects
 *
 * @example
 * watches: [from('orders', (signal) => subscribe('orders', { signal }), (order) => [{ namespace: 'shop', name: order.customer }])]
 */
export function from<T>(
  name: string,
  iterable: AsyncIterable<T> | ((signal: AbortSignal) => AsyncIterable<T>),
  keys: (item: T) => ObjectKeys,
): KeySource {
  let isRead = false;
  return {
    name,
    async *keys({ signal }) {
      if (typeof iterable !== 'function' && isRead) throw readAgain(name);
      isRead = true;
      for await (const item of typeof iterable === 'function' ? iterable(signal) : iterable) {
        if (signal.aborted) return;
        yield keys(item);
      }
    },
  };
}

function readAgain(name: string): OpSdkError {
  return new OpSdkError({
    code: 'runtime/source-ended',
    message: `source ${name} has failed, and its iterable cannot be read again`,
    fix: ['give a function that makes the iterable: from(name, (signal) => …, keys)'],
  });
}

/** Delays after failures of a source: 1 s, doubled after each failure up to a minute. Reset when keys have arrived. */
const backoffSettings = { initial: 1000, factor: 2, maximum: 60_000, jitter: 0.2 };

interface RunSourceOptions {
  readonly context: SourceContext;
  readonly log: Logger;
  readonly clock: Clock;
  /** Adds the keys to the queue. Throws for invalid keys. */
  readonly add: (keys: Iterable<ObjectKey>) => void;
}

/** Reads a source until the operator stops or the source ends. If the source throws, reads it again after a delay. Never rejects. */
export async function runSource(source: KeySource, options: RunSourceOptions): Promise<void> {
  const { context, clock } = options;
  const { signal } = context;
  const log = options.log.child({ source: source.name });
  const backoff = new Backoff(backoffSettings);
  let attempt = 1;
  const add = (keys: Iterable<ObjectKey>): void => {
    options.add(keys);
    attempt = 1;
    backoff.reset();
  };
  for (; !signal.aborted; attempt += 1) {
    try {
      await readSource(source, { ...options, add });
      if (!signal.aborted) log.info('Source ended');
      return;
    } catch (error) {
      if (signal.aborted) return;
      const delay = backoff.next();
      log.error({ error, attempt, retryAfter: durationText(delay) }, 'Source failed');
      await pause(clock, delay, signal);
    }
  }
}

async function readSource(source: KeySource, { context, add }: RunSourceOptions): Promise<void> {
  const { signal } = context;
  const keys = source.keys(context);
  const iterator = keys[Symbol.asyncIterator]();
  for (;;) {
    try {
      // Stops waiting when the signal aborts, because an iterable that ignores the signal must not prevent the operator from stopping.
      const next = await waitFor(iterator.next(), signal);
      if (next.done === true) return;
      add(next.value);
    } catch (error) {
      // The source is read again from its start, so the resources of this iteration, such as a subscription, must be released.
      void iterator.return?.().catch(() => undefined);
      throw error;
    }
  }
}
