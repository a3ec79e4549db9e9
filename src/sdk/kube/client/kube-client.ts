import type { KubeList, KubeObject, ObjectOf, Resource, StoredCopy } from '../../api/index.ts';
import type { ApiDirectory, ServedType } from '../discovery/index.ts';
import type { HeaderValues } from '../transport/transport.ts';
import type {
  CallOptions,
  Client,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  Patch,
  WriteOptions,
} from '../types.ts';
import type { Connection } from './connection.ts';
import type { Query } from './calls.ts';

/**
 * A request that is given by method and path, for endpoints that the typed methods do not cover, such as logs, proxies and health checks.
 */
export interface RawRequest extends CallOptions {
  /** HTTP method. Default: GET. */
  readonly method?: string;
  /** URL path that begins with `/`, such as `/api/v1/namespaces/default/pods/web/log`. */
  readonly path: string;
  /** Query parameters. Default: none. */
  readonly query?: Query;
  /** HTTP headers. Default: `accept: application/json` and the credentials. */
  readonly headers?: HeaderValues;
  /** Body of the request. Strings and bytes are sent unchanged, anything else as JSON. Default: none. */
  readonly body?: unknown;
  /** Content type of the body. Default: `application/json`, if the request has a body. */
  readonly contentType?: string;
}

/** The answer to a {@link RawRequest}. */
export interface RawResponse {
  /** The HTTP status, 200 to 299. */
  readonly status: number;
  /** HTTP headers of the answer. The names are in lower case; repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the answer, decompressed. */
  readonly body: Uint8Array;
  /** Returns the body as UTF-8 text. */
  text(): string;
  /**
   * Parses the body as JSON.
   * @throws TransportError `kube/bad-response` if the body is not JSON
   */
  json<T = unknown>(): T;
}

/** Options for reading a collection page by page. */
export interface PageOptions extends ListOptions {
  /** Maximum number of objects per page, at least 1. Default: 500. */
  readonly limit?: number | undefined;
}

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

/** Selects the objects of a kind to delete; see {@link ClusterClient.deleteCollection}. */
export interface DeleteCollectionOptions extends Pick<DeleteOptions, 'signal' | 'propagationPolicy'> {
  /** Namespace of the objects. Required for namespaced kinds, because the API server deletes in one namespace at a time. */
  readonly namespace?: string | undefined;
  /** Label selector, with the syntax of `kubectl -l`. Default: none. */
  readonly labelSelector?: string | undefined;
  /** Field selector, with the syntax of `kubectl --field-selector`. Default: none. */
  readonly fieldSelector?: string | undefined;
  /** True to delete every object; then no selector may be given. Default: false, which requires at least one selector. */
  readonly all?: boolean | undefined;
  /** True to let the server only validate the request and delete nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
}

/** Wanted and observed replicas of an object. Source: Kubernetes `autoscaling/v1`, `Scale`. */
export interface Scale extends KubeObject {
  /** The wanted state; `replicas` is the wanted number of Pods. */
  spec?: { replicas?: number };
  /** The observed state; `replicas` is the observed number of Pods, and `selector` is their label selector as text. */
  status?: { replicas: number; selector?: string };
}

/**
 * Requests to one subresource of one object. Bodies and answers are those of the Kubernetes API; for example, `eviction` takes an
 * `Eviction`.
 */
export interface SubresourceClient {
  /**
   * Reads the subresource: GET.
   * @throws ApiError
   */
  get<T extends object = KubeObject>(options?: CallOptions): Promise<T>;
  /**
   * Sends a POST request, such as an eviction, a binding or a token request.
   * @throws ApiError, for evictions `kube/too-many-requests` while a disruption budget forbids the eviction
   */
  create<T extends object = KubeObject>(body: object, options?: WriteOptions): Promise<T>;
  /**
   * Replaces the subresource: PUT.
   * @throws ApiError, such as `kube/conflict`; OpSdkError `kube/unsafe-integer`
   */
  update<T extends object = KubeObject>(body: object, options?: WriteOptions): Promise<T>;
  /**
   * Patches the subresource: PATCH.
   * @throws ApiError; OpSdkError `kube/unsafe-integer`
   */
  patch<T extends object = KubeObject>(patch: Patch, options?: WriteOptions): Promise<T>;
}

/** A {@link Client} with every operation that an API server offers, created by `createClusterClient`. */
export interface ClusterClient extends Client {
  /** Name under which the API server records the client as owner of the fields that it writes. */
  readonly fieldManager: string;
  /**
   * Reads a collection page by page, for collections that are too large to hold in memory. All pages show the same state of the collection.
   * @throws ApiError in the same cases as `list`; `kube/expired` if the server no longer holds the state that the pages show (after about
   * five minutes). After `kube/expired`, start again from the first page, since pages of two states do not form a consistent list
   */
  pages<R extends Resource>(
    resource: R,
    options?: PageOptions,
  ): AsyncIterable<KubeList<StoredCopy<ObjectOf<R>>>>;
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
   * Requests deletion of all objects that match the options, either in one namespace or of a cluster-scoped kind. Resolves when the server
   * has marked each object for deletion; finalizers may keep objects for longer.
   * @throws OpSdkError `kube/invalid-request` without a namespace for a namespaced kind, and without a selector unless `all` is true;
   * ApiError
   */
  deleteCollection<R extends Resource>(resource: R, options: DeleteCollectionOptions): Promise<void>;
  /**
   * Reads the scale subresource of an object.
   * @throws ApiError `kube/not-found`, `kube/type-not-served` if the kind has no such subresource
   */
  getScale<R extends Resource>(resource: R, key: ObjectKey, options?: CallOptions): Promise<Scale>;
  /**
   * Sets the wanted number of replicas through the scale subresource, regardless of the field in which the object stores this number.
   * @param replicas an integer, at least 0
   * @returns the scale after the write; the server updates `status.replicas` later
   * @throws OpSdkError `kube/invalid-request`; ApiError `kube/not-found`, `kube/type-not-served` if the kind has no such subresource
   */
  scale<R extends Resource>(
    resource: R,
    key: ObjectKey,
    replicas: number,
    options?: WriteOptions,
  ): Promise<Scale>;
  /**
   * Returns a client for a subresource of an object. Creating the client sends no request.
   * @param name name of the subresource, such as `eviction`, `token`, `binding`
   * @throws OpSdkError `kube/invalid-request`
   */
  subresource<R extends Resource>(resource: R, key: ObjectKey, name: string): SubresourceClient;
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
  /** Requests that the typed methods do not cover. */
  readonly raw: {
    /**
     * Sends a request and returns the answer.
     * @throws ApiError for every status except 2xx
     */
    request(request: RawRequest): Promise<RawResponse>;
  };
  /** Closes the connection; requests that are still running fail. */
  close(): Promise<void>;
}

/** A {@link ClusterClient} whose connection can be shared. */
export interface KubeClient extends ClusterClient {
  /** Connection for the client's requests. Closed with the client only if the client opened it. */
  readonly connection: Connection;
}
