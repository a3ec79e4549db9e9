import type { KubeObject, Resource } from '../../api/index.ts';
import { ApiError } from '../client/api-error.ts';
import type { CallTarget } from '../client/call-target.ts';
import { describeTarget } from '../client/call-target.ts';
import { roundedWarning, type Connection } from '../client/connection.ts';
import { acceptMetadata, toMetadataOnly } from '../client/partial-metadata.ts';
import { resourcePath, type Query } from '../client/resource-path.ts';
import { isStatus } from '../client/status.ts';
import { parseExactly } from '../client/unsafe-integers.ts';
import { TransportError } from '../transport/transport-error.ts';
import type { Clock } from '../../net/index.ts';
import { LineSplitter } from './line-splitter.ts';

/** A line of a watch, other than ERROR. Source: apimachinery `metav1.WatchEvent`. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

export interface WatchRequest<T extends KubeObject> {
  readonly connection: Connection;
  readonly resource: Resource<T>;
  readonly namespace?: string | undefined;
  readonly query: Query;
  readonly clock: Clock;
  /** Milliseconds after which the watch is ended here. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** The server has accepted the watch. */
  readonly onOpen: () => void;
  readonly onEvent: (event: WatchEvent<T>) => void;
}

/** End of a watch that did not fail. */
export interface WatchEnd {
  /** Bookmarks included. */
  readonly events: number;
  /** Milliseconds. */
  readonly lasted: number;
}

const eventTypes: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/**
 * One watch from its request to its end. Nothing is delivered after the signal's abort.
 *
 * @throws ApiError for an HTTP error and for an ERROR event; TransportError; the signal's reason; what `onEvent` throws
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
    );
  };
  const splitter = new LineSplitter(take);
  const cancelTimer = clock.after(deadline - (clock.now() - started), () => stream.cancel());
  try {
    request.onOpen();
    await stream.read((chunk) => splitter.write(chunk));
  } finally {
    cancelTimer();
    // Whatever was thrown before there was a reader.
    stream.cancel();
  }
  const rest = splitter.rest();
  if (isWhole(rest)) take(rest);
  return { events, lasted: clock.now() - started };
}

/** A last line without a line end is either complete or was cut off; a cut-off one is sent again by the next watch. */
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
