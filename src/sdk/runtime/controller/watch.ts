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

/** Which objects to reconcile. The `metadata` of an object is its key. */
export type ObjectKeys = readonly ObjectKey[] | ReadonlySet<ObjectKey>;

/** Context of `map`. */
export interface MapContext {
  /** Reads from the cache. */
  readonly client: CachedReader;
}

/** Another cluster than the manager's own, and a client of it. Made by `manager.addCluster`. */
export interface ClusterHandle {
  /** In logs and metrics. */
  readonly name: string;
  /** Reads the kinds that are watched in it from their cache, others by `live`, and writes to it. */
  readonly client: OtherClusterClient;
}

/** Which changes of a watched kind matter, and to whom. */
export interface WatchOptions<T extends KubeObject> {
  /** The objects to reconcile when this one has changed: keys of the controller's `for` kind. Called for the old and the new state of an update; when changes come faster than maps end, states in between are left out. When it throws, it is called again with the controller's back-off until it succeeds; `terminalError(error)` gives the change up. */
  map(object: Stored<T>, context: MapContext): ObjectKeys | Promise<ObjectKeys>;
  /** Which changes count; all must agree. Default: every change. */
  readonly predicates?: readonly Predicate<T>[];
  /** Watch the metadata of the objects alone, as `watch(metadataOnly(K), …)` does. Default: false. */
  readonly metadataOnly?: boolean;
  /** Watch the kind in another cluster. Default: the manager's own. */
  readonly cluster?: ClusterHandle;
}

/** A kind whose changes matter to a controller, and which of the controller's objects they matter to. Made by `watch`. */
export interface ObjectWatch {
  /** The watched kind. */
  readonly resource: Resource;
  /** The other cluster that the kind is watched in. */
  readonly cluster?: ClusterHandle | undefined;
  /** Returns true if a change counts. */
  accepts: Predicate;
  /** The objects to reconcile when this one has changed. */
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
    // The cache delivers objects of the token's kind only.
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

/** The clock that intervals are measured with, where it is not the system's. */
export const sourceClocks = new WeakMap<SourceContext, Clock>();

/** Something other than a kind that says which objects to reconcile. Made by {@link every} and {@link from}, or your own. */
export interface KeySource {
  /** In logs. */
  readonly name: string;
  /** Which helper made it, for observers of reconciles. Default: `from`. */
  readonly type?: 'every' | 'from' | undefined;
  /**
   * Gives the keys of objects to reconcile, as they come. When it ends, the source is over; when it throws, that is logged and `keys` is
   * called again, after a delay that grows from one second to a minute.
   */
  keys(context: SourceContext): AsyncIterable<Iterable<ObjectKey>>;
}

/**
 * Reconciles objects at regular intervals: for a state outside of the cluster that tells nobody of its changes.
 *
 * @param delay between the end of one round and the start of the next; the first comes after one delay
 * @param keys the objects to reconcile, such as all of a list from the cache. When it throws, that is logged, and the next round comes after a back-off and the delay
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
 * Reconciles objects when something outside of the cluster says so: a queue, a webhook, a file watcher.
 *
 * @param name in logs
 * @param iterable makes the iterable, again after it has thrown; a ready one is read once, and nothing comes after it has thrown
 * @param keys the objects that an item concerns
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

/** Between failures: 1 s, doubled up to a minute, and from the start after keys have come. */
const backoffSettings = { initial: 1000, factor: 2, maximum: 60_000, jitter: 0.2 };

interface RunSourceOptions {
  readonly context: SourceContext;
  readonly log: Logger;
  readonly clock: Clock;
  /** Takes the keys; throws for keys that can be no object's. */
  readonly add: (keys: Iterable<ObjectKey>) => void;
}

/** Reads a source until the operator stops or the source ends; again, after a while, when it throws. Never rejects. */
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
      // An iterable that ignores the signal must not keep the operator from ending.
      const next = await waitFor(iterator.next(), signal);
      if (next.done === true) return;
      add(next.value);
    } catch (error) {
      // It is read again from its start: what this reading holds, such as a subscription, must not stay behind.
      void iterator.return?.().catch(() => undefined);
      throw error;
    }
  }
}
