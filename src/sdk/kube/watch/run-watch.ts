import type { KubeObject, Resource, ObjectOf, StoredCopy } from '../../api/index.ts';
import { ApiError } from '../client/api-error.ts';
import { resourcePath, type Query, type CallTarget, describeTarget, isStatus } from '../client/calls.ts';
import { roundedWarning, type Connection } from '../client/connection.ts';
import { acceptMetadata, toMetadataOnly } from '../client/list-pages.ts';
import { parseExactly } from '../client/check-request.ts';
import { TransportError } from '../transport/transport-error.ts';
import { type Clock, systemClock, toError } from '../../net/index.ts';
import type { ObjectWatchEvent, WatchEventsOptions } from '../client/kube-client.ts';

/** One event of a watch, other than ERROR. The server sends each event as one line. Source: apimachinery `metav1.WatchEvent`. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

interface WatchRequest<T extends KubeObject> {
  readonly connection: Connection;
  readonly resource: Resource<T>;
  readonly namespace?: string | undefined;
  readonly query: Query;
  readonly clock: Clock;
  /** Milliseconds after which the client ends the watch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Called when the server has accepted the watch. */
  readonly onOpen: () => void;
  /** @param bytes length of the event's line */
  readonly onEvent: (event: WatchEvent<T>, bytes: number) => void;
}

/** Result of a watch that did not fail. */
export interface WatchEnd {
  /** Number of events of the watch, including bookmarks. */
  readonly events: number;
  /** Duration of the watch in milliseconds. */
  readonly lasted: number;
}

const eventTypes: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/**
 * Runs one watch from its request to its end. Delivers no event after the signal aborts.
 *
 * @throws ApiError for an HTTP error and for an ERROR event; TransportError; the signal's reason; the errors of `onEvent`
 */
export async function runWatch<T extends KubeObject>(request: WatchRequest<T>): Promise<WatchEnd> {
  const { connection, resource, namespace, clock, deadline, signal } = request;
  const target: CallTarget = { verb: 'watch', resource, namespace };
  const started = clock.now();
  const stream = await connection.stream({
    target,
    method: 'GET',
    path: resourcePath(resource, { namespace }),
    query: { watch: true, allowWatchBookmarks: true, ...request.query },
    headers: resource.metadataOnly === true ? { accept: acceptMetadata } : {},
    signal,
  });
  let events = 0;
  const take = (line: Buffer): void => {
    if (signal.aborted) return;
    const event = parseEvent<T>(line, target, connection);
    events += 1;
    const { type, object } = event;
    request.onEvent(
      resource.metadataOnly === true ? { type, object: toMetadataOnly(resource, object) } : event,
      line.length,
    );
  };
  const splitter = new LineSplitter(take);
  const cancelTimer = clock.after(deadline - (clock.now() - started), () => stream.cancel());
  try {
    request.onOpen();
    await stream.read((chunk) => splitter.write(chunk));
  } finally {
    cancelTimer();
    // Releases the response if an error occurred before the body was read.
    stream.cancel();
  }
  const rest = splitter.rest();
  if (isWhole(rest)) take(rest);
  return { events, lasted: clock.now() - started };
}

/**
 * Returns true if the rest of the stream, which has no line end, is a complete line of JSON. An incomplete line can be ignored because the
 * next watch receives that event again.
 */
function isWhole(rest: Buffer): boolean {
  if (rest.length === 0) return false;
  try {
    JSON.parse(rest.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

function parseEvent<T extends KubeObject>(
  line: Buffer,
  target: CallTarget,
  connection: Connection,
): WatchEvent<T> {
  const bad = (message: string, cause?: unknown): TransportError =>
    new TransportError('kube/bad-response', `${describeTarget(target)}: ${message}`, { cause });
  let event: { readonly type?: unknown; readonly object?: unknown };
  try {
    event = parseExactly(line.toString('utf8'), ([first]) => {
      if (first !== undefined) connection.warn(roundedWarning(target, first.path.replace(/^\.object/, '')));
    }) as typeof event;
  } catch (error) {
    throw bad(`a line is not JSON: ${(error as Error).message}`, error);
  }
  const { type, object } = event;
  if (type === 'ERROR') {
    if (!isStatus(object)) throw bad('an ERROR event carries no Status');
    throw new ApiError(target, object.code ?? 500, object);
  }
  if (typeof type !== 'string' || !eventTypes.has(type))
    throw bad(`an event has the unknown type ${JSON.stringify(type)}`);
  if (typeof object !== 'object' || object === null || typeof (object as KubeObject).metadata !== 'object') {
    throw bad(`an event of type ${type} carries no object`);
  }
  return { type, object } as WatchEvent<T>;
}

const newline = 10;
const carriageReturn = 13;

/**
 * Maximum length of one line, in bytes. Far above the size of any object, as etcd accepts 1.5 MiB. Without a limit, a server that never
 * ends a line would fill the memory.
 */
const maxLineLength = 64 * 1024 * 1024;

/**
 * Splits a stream of bytes into lines. Works on bytes, so that a character split between two chunks is not corrupted. Drops empty lines,
 * and a carriage return at the end of a line.
 */
export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  #pending: Buffer[] = [];
  #pendingLength = 0;

  constructor(onLine: (line: Buffer) => void) {
    this.#onLine = onLine;
  }

  /** @throws RangeError for a line of more than 64 MiB; the errors of `onLine` */
  write(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const part = chunk.subarray(start, end);
      start = end + 1;
      this.#emit(this.#pendingLength === 0 ? part : this.#joined(part));
    }
    if (start === chunk.length) return;
    this.#pending.push(chunk.subarray(start));
    this.#pendingLength += chunk.length - start;
    if (this.#pendingLength > maxLineLength)
      throw new RangeError('a line of the watch is longer than 64 MiB');
  }

  /** Returns the bytes after the last line end. */
  rest(): Buffer {
    return this.#joined(Buffer.alloc(0));
  }

  #joined(part: Buffer): Buffer {
    const line = Buffer.concat([...this.#pending, part]);
    this.#pending = [];
    this.#pendingLength = 0;
    return line;
  }

  #emit(line: Buffer): void {
    const length = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
    if (length > 0) this.#onLine(length === line.length ? line : line.subarray(0, length));
  }
}

/** Maximum number of buffered events, so that a consumer that is slower than the server does not fill the memory. */
const maxWaiting = 10_000;

/** Longest delay of setTimeout, in milliseconds. The server ends watches much earlier. */
const longestTimer = 2 ** 31 - 1;

/** Runs one watch and yields each of its events; the iteration ends when the server ends the watch. See `ClusterClient.watch`. */
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
      const message = `watch ${resource.plural}: more than ${maxWaiting} events are waiting to be read`;
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
  // The cast is safe, because the server sends objects in their stored form.
  const object = event.object as StoredCopy<T>;
  const resourceVersion = event.object.metadata.resourceVersion ?? '';
  return type === 'BOOKMARK' ? { type, resourceVersion } : { type, object, resourceVersion };
}
