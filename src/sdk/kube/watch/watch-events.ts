import type { KubeObject, ObjectOf, Resource, StoredCopy } from '../../api/index.ts';
import { systemClock, toError } from '../../net/index.ts';
import type { Connection } from '../client/connection.ts';
import type { ObjectWatchEvent, WatchEventsOptions } from '../client/kube-client.ts';
import { TransportError } from '../transport/transport-error.ts';
import { runWatch, type WatchEvent } from './run-watch.ts';

/** A consumer that is slower than the server must not fill the memory. */
const maxWaiting = 10_000;

/** No timer is longer: the server ends watches much earlier. */
const longestTimer = 2 ** 31 - 1;

/** One watch as an iteration; the stream ends with it. See `ClusterClient.watch`. */
export async function* watchEvents<R extends Resource>(
  connection: Connection,
  resource: R,
  options: WatchEventsOptions,
): AsyncGenerator<ObjectWatchEvent<StoredCopy<ObjectOf<R>>>, void, undefined> {
  const { namespace, labelSelector, fieldSelector, resourceVersion, timeoutSeconds } = options;
  const left = new AbortController();
  const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal]);
  signal.throwIfAborted();
  const waiting: ObjectWatchEvent<StoredCopy<ObjectOf<R>>>[] = [];
  let end: { readonly error?: Error } | undefined;
  let wake: () => void = () => undefined;
  const running = runWatch<ObjectOf<R>>({
    connection,
    resource: resource,
    namespace,
    query: { labelSelector, fieldSelector, resourceVersion, timeoutSeconds },
    clock: systemClock,
    deadline: longestTimer,
    signal,
    onOpen: () => undefined,
    onEvent: (event) => {
      waiting.push(toObjectEvent(event));
      wake();
      if (waiting.length <= maxWaiting) return;
      const message = `watch ${resource.plural}: more than ${maxWaiting} events wait to be taken`;
      throw new TransportError('kube/connection-lost', message);
    },
  }).then(
    () => (end = {}),
    (error: unknown) => (end = { error: toError(error) }),
  );
  void running.then(() => wake());
  try {
    for (;;) {
      options.signal?.throwIfAborted();
      const event = waiting.shift();
      if (event !== undefined) yield event;
      else if (end?.error !== undefined) throw end.error;
      else if (end !== undefined) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    left.abort();
    await running;
  }
}

function toObjectEvent<T extends KubeObject>(event: WatchEvent<T>): ObjectWatchEvent<StoredCopy<T>> {
  const { type } = event;
  // The server sends what it has stored.
  const object = event.object as StoredCopy<T>;
  const resourceVersion = event.object.metadata.resourceVersion ?? '';
  return type === 'BOOKMARK' ? { type, resourceVersion } : { type, object, resourceVersion };
}
