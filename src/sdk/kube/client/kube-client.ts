import type { KubeObject, ObjectOf, Resource, StoredCopy } from '../../api/index.ts';
import type { ApiDirectory, ServedType } from '../discovery/index.ts';
import type { CallOptions, ListOptions } from '../types.ts';
import type { Connection } from './connection.ts';
import type { Client } from './live-client.ts';

/** Options of a watch. */
export interface WatchEventsOptions extends ListOptions {
  /**
   * Resource version after which the watch starts, usually that of a list (`list.metadata.resourceVersion`) or of the last event. Default:
   * the watch first yields all existing objects, as `ADDED` events in no particular order.
   */
  readonly resourceVersion?: string | undefined;
  /** Seconds after which the server ends the watch. Default: chosen by the server, a random time of 30 to 60 minutes. */
  readonly timeoutSeconds?: number | undefined;
}

/** One event of {@link ClusterClient.watch}. Source: apimachinery `metav1.WatchEvent`. */
export type ObjectWatchEvent<T extends KubeObject = KubeObject> =
  | {
      /** The kind of change. For `DELETED`, `object` has the last state of the object. */
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      /** The object at the time of the event. */
      readonly object: T;
      /** Resource version of the object, from which a later watch may continue. */
      readonly resourceVersion: string;
    }
  | {
      /**
       * Event that reports that all changes up to `resourceVersion` have been sent. The server sends a bookmark about every minute, and
       * another one before it ends the watch.
       */
      readonly type: 'BOOKMARK';
      readonly resourceVersion: string;
    };

/** A {@link Client} with every operation that an API server offers, created by `createClusterClient`. */
export interface ClusterClient extends Client {
  /** Name under which the API server records the client as owner of the fields that it writes. */
  readonly fieldManager: string;
  /**
   * Yields the changes of a collection as they happen. The iteration ends when the server's timeout has passed, on `break`, or on an abort.
   * Unlike the watches of controllers, this watch does not reconnect. At most 10,000 unread events are buffered.
   * @throws ApiError `kube/expired` if `resourceVersion` is too old; in this case list the collection again. ApiError in the same cases as
   * `list`; TransportError when the connection breaks or the buffer is full; the signal's reason
   */
  watch<R extends Resource>(
    resource: R,
    options?: WatchEventsOptions,
  ): AsyncIterable<ObjectWatchEvent<StoredCopy<ObjectOf<R>>>>;
  /**
   * Returns the token of a kind that is only known at run time, for example from a manifest. The token is derived from the server's
   * discovery documents, which are cached and read again when they do not contain the kind.
   * @throws ApiError `kube/type-not-served`; ApiError and TransportError of discovery
   */
  resourceOf(
    manifest: Pick<KubeObject, 'apiVersion' | 'kind'>,
    options?: CallOptions,
  ): Promise<ServedType['resource']>;
  /**
   * Returns all types that the API server currently serves, with their kinds, names in URLs, scopes and verbs.
   * @throws ApiError, TransportError
   */
  discover(options?: CallOptions): Promise<ApiDirectory>;
  /** Closes the connection; requests that are still running fail. */
  close(): Promise<void>;
}

/** A {@link ClusterClient} whose connection can be shared. */
export interface KubeClient extends ClusterClient {
  /** Connection for the client's requests. Closed with the client only if the client opened it. */
  readonly connection: Connection;
}
