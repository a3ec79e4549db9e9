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

/** A request given by method and path, for endpoints that the typed methods do not cover: logs, proxies, health checks. */
export interface RawRequest extends CallOptions {
  /** Default: GET. */
  readonly method?: string;
  /** Begins with `/`: `/api/v1/namespaces/default/pods/web/log`. */
  readonly path: string;
  /** Default: none. */
  readonly query?: Query;
  /** Default: `accept: application/json` and the credentials. */
  readonly headers?: HeaderValues;
  /** Strings and bytes are sent as they are, anything else as JSON. Default: none. */
  readonly body?: unknown;
  /** Default: `application/json`, if there is a body. */
  readonly contentType?: string;
}

/** The answer to a {@link RawRequest}. */
export interface RawResponse {
  /** The HTTP status, 200 to 299. */
  readonly status: number;
  /** Names in lower case; repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
  /** The body as UTF-8. */
  text(): string;
  /** The body as JSON. @throws TransportError `kube/bad-response` if it is something else */
  json<T = unknown>(): T;
}

/** Options for reading a collection page by page. */
export interface PageOptions extends ListOptions {
  /** Objects per page, at least 1. Default: 500. */
  readonly limit?: number | undefined;
}

/** Options of a watch. */
export interface WatchEventsOptions extends ListOptions {
  /**
   * Start after this version, usually that of a list (`list.metadata.resourceVersion`) or of the last event. Default: existing objects come
   * first, as `ADDED` events in no particular order.
   */
  readonly resourceVersion?: string | undefined;
  /** Seconds after which the server ends the watch. Default: the server's, a random time of 30 to 60 minutes. */
  readonly timeoutSeconds?: number | undefined;
}

/** One event of {@link ClusterClient.watch}. Source: apimachinery `metav1.WatchEvent`. */
export type ObjectWatchEvent<T extends KubeObject = KubeObject> =
  | {
      /** The kind of change; `DELETED` has the last state of the object. */
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      /** The object at the time of the event. */
      readonly object: T;
      /** Version of the object; a later watch may continue from here. */
      readonly resourceVersion: string;
    }
  | {
      /** No event occurred up to `resourceVersion`. The server sends a bookmark about every minute, and before it ends the watch. */
      readonly type: 'BOOKMARK';
      readonly resourceVersion: string;
    };

/** Selects the objects of a kind to delete; see {@link ClusterClient.deleteCollection}. */
export interface DeleteCollectionOptions extends Pick<DeleteOptions, 'signal' | 'propagationPolicy'> {
  /** Required for namespaced kinds: the API server deletes in one namespace at a time. */
  readonly namespace?: string | undefined;
  /** Same syntax as `kubectl -l`. Default: none. */
  readonly labelSelector?: string | undefined;
  /** Same syntax as `kubectl --field-selector`. Default: none. */
  readonly fieldSelector?: string | undefined;
  /** True: deletes every object; no selector may be given. Default: false; one of the selectors is required. */
  readonly all?: boolean | undefined;
  /** The server validates the request and deletes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
}

/** Wanted and observed replicas of an object. Source: Kubernetes `autoscaling/v1`, `Scale`. */
export interface Scale extends KubeObject {
  /** The wanted state. */
  spec?: { replicas?: number };
  /** The observed state; `selector` is the label selector of the Pods as text. */
  status?: { replicas: number; selector?: string };
}

/** Requests to one subresource of one object. Bodies and answers are those of the API: `eviction` takes an `Eviction`. */
export interface SubresourceClient {
  /** GET. @throws ApiError */
  get<T extends object = KubeObject>(options?: CallOptions): Promise<T>;
  /** POST, such as an eviction, a binding or a token request. @throws ApiError, for evictions `kube/too-many-requests` while a budget forbids it */
  create<T extends object = KubeObject>(body: object, options?: WriteOptions): Promise<T>;
  /** PUT. @throws ApiError, such as `kube/conflict`; OpSdkError `kube/unsafe-integer` */
  update<T extends object = KubeObject>(body: object, options?: WriteOptions): Promise<T>;
  /** PATCH. @throws ApiError; OpSdkError `kube/unsafe-integer` */
  patch<T extends object = KubeObject>(patch: Patch, options?: WriteOptions): Promise<T>;
}

/** A {@link Client} with every operation that an API server offers. Created by `createClusterClient`. */
export interface ClusterClient extends Client {
  /** The owner of the fields that are written. */
  readonly fieldManager: string;
  /**
   * Reads a collection page by page, if it is too large to hold in memory. All pages show the same state.
   *
   * @throws ApiError as `list`; `kube/expired` if the server no longer holds that state (after about five minutes): start again from the
   * first page, since pages of two states do not form a consistent list
   */
  pages<R extends Resource>(
    resource: R,
    options?: PageOptions,
  ): AsyncIterable<KubeList<StoredCopy<ObjectOf<R>>>>;
  /**
   * Yields the changes of a collection as they happen. The iteration ends with the server's timeout, with `break` and with an abort; it
   * does not reconnect, unlike the watches of controllers. At most 10,000 unread events are buffered.
   *
   * @throws ApiError `kube/expired` if `resourceVersion` is too old: list again. ApiError as `list`, TransportError when the connection
   * breaks or the buffer is full; the signal's reason
   */
  watch<R extends Resource>(
    resource: R,
    options?: WatchEventsOptions,
  ): AsyncIterable<ObjectWatchEvent<StoredCopy<ObjectOf<R>>>>;
  /**
   * Requests deletion of all matching objects, in one namespace or of a cluster-scoped kind. Resolves when the server has marked each of
   * them for deletion: finalizers may keep objects for longer.
   *
   * @throws OpSdkError `kube/invalid-request` without a namespace for a namespaced kind, and without a selector unless `all` is true;
   * ApiError
   */
  deleteCollection<R extends Resource>(resource: R, options: DeleteCollectionOptions): Promise<void>;
  /** Reads the scale subresource. @throws ApiError `kube/not-found`, `kube/type-not-served` if the kind has no such subresource */
  getScale<R extends Resource>(resource: R, key: ObjectKey, options?: CallOptions): Promise<Scale>;
  /**
   * Sets the number of replicas through the scale subresource, independently of the field in which the object stores it.
   *
   * @param replicas an integer, at least 0
   * @returns the scale after the write; `status.replicas` follows later
   * @throws OpSdkError `kube/invalid-request`; ApiError `kube/not-found`, `kube/type-not-served` if the kind has no such subresource
   */
  scale<R extends Resource>(
    resource: R,
    key: ObjectKey,
    replicas: number,
    options?: WriteOptions,
  ): Promise<Scale>;
  /**
   * Returns a client for a subresource; sends nothing yet.
   *
   * @param name such as `eviction`, `token`, `binding`
   * @throws OpSdkError `kube/invalid-request`
   */
  subresource<R extends Resource>(resource: R, key: ObjectKey, name: string): SubresourceClient;
  /**
   * Returns the token of a kind that is only known at run time, such as that of a manifest, from the server's discovery documents. The
   * documents are cached, and read again when they do not contain the kind.
   *
   * @throws ApiError `kube/type-not-served`; ApiError and TransportError of discovery
   */
  resourceOf(
    manifest: Pick<KubeObject, 'apiVersion' | 'kind'>,
    options?: CallOptions,
  ): Promise<ServedType['resource']>;
  /**
   * Returns all types that the API server currently serves, with their kinds, names in URLs, scopes and verbs. @throws ApiError,
   * TransportError
   */
  discover(options?: CallOptions): Promise<ApiDirectory>;
  /** Requests that the typed methods do not cover. */
  readonly raw: {
    /** @throws ApiError for every status but 2xx */
    request(request: RawRequest): Promise<RawResponse>;
  };
  /** Closes the connection; running requests fail. */
  close(): Promise<void>;
}

/** A {@link ClusterClient} whose connection can be shared. */
export interface KubeClient extends ClusterClient {
  /** Connection for the client's requests. Closed with the client only if the client opened it. */
  readonly connection: Connection;
}
