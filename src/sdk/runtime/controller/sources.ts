import { OpSdkError } from '../../../base/errors/index.ts';
import type { ObjectKey } from '../../kube/types.ts';
import { pause, systemClock, type Clock } from '../../net/index.ts';
import { durationMs, type DurationLike } from '../duration.ts';
import type { CachedReader } from '../cache/index.ts';
import type { ObjectKeys } from './watch.ts';

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
