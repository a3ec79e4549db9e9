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
import { pause, systemClock, type Clock, Backoff, waitFor } from '../../net/index.ts';
import { durationMs, type DurationLike } from '../duration.ts';
import type { Logger } from '../create-logger.ts';
import { durationText } from '../../../base/util/duration-text.ts';
import type { Predicate } from './predicates.ts';

/** Keys of objects to reconcile. The `metadata` of an object is accepted as its key. */
export type ObjectKeys = readonly ObjectKey[] | ReadonlySet<ObjectKey>;

/** Context of `map`. */
export interface MapContext {
  /** Reads from the cache. */
  readonly client: CachedReader;
}

/** A cluster other than the manager's own, and a client of it. Created by `manager.addCluster`. */
export interface ClusterHandle {
  /** Name in logs and metrics. */
  readonly name: string;
  /** Reads the kinds that are watched in the cluster from their cache, other kinds with `live`, and writes to the cluster. */
  readonly client: OtherClusterClient;
}

/** Selects the changes of a watched kind that cause a reconcile, and the objects to reconcile. */
export interface WatchOptions<T extends KubeObject> {
  /**
   * Returns the keys of the `for` objects to reconcile when this object has changed. Called for the old and the new state of an update; if
   * changes arrive faster than maps end, intermediate states are skipped. If it throws, it is called again with the controller's back-off
   * until it succeeds; `terminalError(error)` drops the change.
   */
  map(object: Stored<T>, context: MapContext): ObjectKeys | Promise<ObjectKeys>;
  /** Changes that cause a reconcile; all predicates must accept a change. Default: every change. */
  readonly predicates?: readonly Predicate<T>[];
  /** Watch only the metadata of the objects, like `watch(metadataOnly(K), …)`. Default: false. */
  readonly metadataOnly?: boolean;
  /** Watch the kind in another cluster. Default: the manager's own. */
  readonly cluster?: ClusterHandle;
}

/** A watched kind, with the function that maps its objects to objects of the controller. Created by `watch`. */
export interface ObjectWatch {
  /** The watched kind. */
  readonly resource: Resource;
  /** The other cluster in which the kind is watched. */
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
    // The cache passes only objects of the token's kind.
    map: (object, context) => options.map(object as Stored<never>, context),
  };
}

/** Context of a source. */
export interface SourceContext {
  /** Reads from the cache. */
  readonly client: CachedReader;
  /** Aborted when the operator stops. */
  readonly signal: AbortSignal;
}

/** The clock for the intervals of a source, if it is not the system clock. */
export const sourceClocks = new WeakMap<SourceContext, Clock>();

/** A source of keys to reconcile other than a watched kind. Created by {@link every} and {@link from}, or custom. */
export interface KeySource {
  /** Name in logs. */
  readonly name: string;
  /** The helper that created it, for observers of reconciles. Default: `from`. */
  readonly type?: 'every' | 'from' | undefined;
  /**
   * Yields keys of objects to reconcile as they arrive. When the iteration ends, the source is done; when it throws, the error is logged
   * and `keys` is called again, after a delay that grows from one second to a minute.
   */
  keys(context: SourceContext): AsyncIterable<Iterable<ObjectKey>>;
}

/**
 * Reconciles objects at regular intervals: for external state without change notifications.
 *
 * @param delay between the end of one round and the start of the next; the first round starts after one delay
 * @param keys returns the objects to reconcile, such as all of a list from the cache. If it throws, the error is logged, and the next round
 * starts after a back-off and the delay
 * @throws OpSdkError `runtime/invalid-duration`
 *
 * @example
 * watches: [every('10m', async ({ client }) => (await client.list(Bucket)).items.map((bucket) => bucket.metadata))]
 */
export function every(
  delay: DurationLike,
  keys: (context: SourceContext) => ObjectKeys | Promise<ObjectKeys>,
): KeySource {
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
      const clock = sourceClocks.get(context) ?? systemClock;
      for (;;) {
        await pause(clock, milliseconds, context.signal);
        if (context.signal.aborted) return;
        yield await keys(context);
      }
    },
  };
}

/**
 * Reconciles objects on events from outside of the cluster: a queue, a webhook, a file watcher.
 *
 * @param name in logs
 * @param iterable creates the iterable, and creates it again after an error; an iterable that is passed directly is read only once, and the
 * source ends for good after an error
 * @param keys returns the objects that an item affects
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

/** Delays after failures: 1 s, doubled up to a minute; reset when keys have arrived. */
const backoffSettings = { initial: 1000, factor: 2, maximum: 60_000, jitter: 0.2 };

interface RunSourceOptions {
  readonly context: SourceContext;
  readonly log: Logger;
  readonly clock: Clock;
  /** Adds the keys; throws for invalid keys. */
  readonly add: (keys: Iterable<ObjectKey>) => void;
}

/** Reads a source until the operator stops or the source ends; reads it again after a delay if it throws. Never rejects. */
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
      // An iterable that ignores the signal must not prevent the operator from stopping.
      const next = await waitFor(iterator.next(), signal);
      if (next.done === true) return;
      add(next.value);
    } catch (error) {
      // The source is read again from its start: resources of this reading, such as a subscription, must be released.
      void iterator.return?.().catch(() => undefined);
      throw error;
    }
  }
}
