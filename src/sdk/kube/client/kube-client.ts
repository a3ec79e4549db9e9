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

/** A request in the API's own terms, for what the typed methods do not cover: logs, proxies, health checks. */
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
  /** Objects a page, from 1 on. Default: 500. */
  readonly limit?: number | undefined;
}

/** Options of a watch. */
export interface WatchEventsOptions extends ListOptions {
  /**
   * Events after this version, usually that of a list (`list.metadata.resourceVersion`) or of the last event.
   * Default: what exists comes first, as `ADDED` events in no order.
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
      /** As it was then. */
      readonly object: T;
      /** Version of the object; a watch may go on from here. */
      readonly resourceVersion: string;
    }
  | {
      /** Nothing happened up to `resourceVersion`. The server sends one about every minute, and before it ends the watch. */
      readonly type: 'BOOKMARK';
      readonly resourceVersion: string;
    };

/** Which objects of a kind are deleted; see {@link ClusterClient.deleteCollection}. */
export interface DeleteCollectionOptions extends Pick<DeleteOptions, 'signal' | 'propagationPolicy'> {
  /** Required for namespaced kinds: the API server deletes in one namespace at a time. */
  readonly namespace?: string | undefined;
  /** As for `kubectl -l`. Default: none. */
  readonly labelSelector?: string | undefined;
  /** As for `kubectl --field-selector`. Default: none. */
  readonly fieldSelector?: string | undefined;
  /** True: every object, without a selector. Default: false, and one of the selectors is required. */
  readonly all?: boolean | undefined;
  /** The server checks everything and deletes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
}

/** Wanted and observed replicas of an object. Source: Kubernetes `autoscaling/v1`, `Scale`. */
export interface Scale extends KubeObject {
  /** The wanted state. */
  spec?: { replicas?: number };
  /** The observed state; `selector` is the label selector of the Pods as text. */
  status?: { replicas: number; selector?: string };
}

/** The requests to one subresource of one object. Bodies and answers are those of the API: `eviction` takes an `Eviction`. */
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

/** A {@link Client} with all that an API server offers. Made by `createClusterClient`. */
export interface ClusterClient extends Client {
  /** The owner of the fields that are written. */
  readonly fieldManager: string;
  /**
   * Reads a collection page by page, for what is too much to hold at once. All pages show the same moment.
   *
   * @throws ApiError as `list`; `kube/expired` if the server has forgotten that moment (after about five minutes): start again,
   * pages of two moments do not make a list
   */
  pages<R extends Resource>(
    resource: R,
    options?: PageOptions,
  ): AsyncIterable<KubeList<StoredCopy<ObjectOf<R>>>>;
  /**
   * The changes of a collection as they happen, once: it ends with the server's timeout, with `break` and with an abort, and does not
   * reconnect. Controllers have watches that do. At most 10,000 events wait to be taken.
   *
   * @throws ApiError `kube/expired` if `resourceVersion` is too old: list again. ApiError as `list`, TransportError when the
   * connection breaks or too many events wait; the signal's reason
   */
  watch<R extends Resource>(
    resource: R,
    options?: WatchEventsOptions,
  ): AsyncIterable<ObjectWatchEvent<StoredCopy<ObjectOf<R>>>>;
  /**
   * Requests deletion of all objects that match, in one namespace or of a cluster-scoped kind. Resolves when the server has requested it
   * for each: finalizers may keep objects for longer.
   *
   * @throws OpSdkError `kube/invalid-request` without a namespace for a namespaced kind, and without a selector unless `all` is true;
   * ApiError
   */
  deleteCollection<R extends Resource>(resource: R, options: DeleteCollectionOptions): Promise<void>;
  /** Reads the scale subresource. @throws ApiError `kube/not-found`, `kube/type-not-served` if the kind has no such subresource */
  getScale<R extends Resource>(resource: R, key: ObjectKey, options?: CallOptions): Promise<Scale>;
  /**
   * Sets the number of replicas by the scale subresource, whatever field of the object that is.
   *
   * @param replicas an integer from 0 on
   * @returns the scale as it is then; `status.replicas` follows later
   * @throws OpSdkError `kube/invalid-request`; ApiError `kube/not-found`, `kube/type-not-served` if the kind has no such subresource
   */
  scale<R extends Resource>(
    resource: R,
    key: ObjectKey,
    replicas: number,
    options?: WriteOptions,
  ): Promise<Scale>;
  /**
   * The requests to a subresource; nothing is sent yet.
   *
   * @param name such as `eviction`, `token`, `binding`
   * @throws OpSdkError `kube/invalid-request`
   */
  subresource<R extends Resource>(resource: R, key: ObjectKey, name: string): SubresourceClient;
  /**
   * Finds the token of a kind that is only known at run time, such as that of a manifest, by the server's discovery documents. They are
   * kept, and read again when a kind is not in them.
   *
   * @throws ApiError `kube/type-not-served`; ApiError and TransportError of discovery
   */
  resourceOf(
    manifest: Pick<KubeObject, 'apiVersion' | 'kind'>,
    options?: CallOptions,
  ): Promise<ServedType['resource']>;
  /** Everything that the API server serves now: kinds, their names in URLs, scopes and verbs. @throws ApiError, TransportError */
  discover(options?: CallOptions): Promise<ApiDirectory>;
  /** Requests that the typed methods do not cover. */
  readonly raw: {
    /** @throws ApiError for every status but 2xx */
    request(request: RawRequest): Promise<RawResponse>;
  };
  /** Ends the connection: what is running fails. */
  close(): Promise<void>;
}

/** A {@link ClusterClient} whose connection others may use. */
export interface KubeClient extends ClusterClient {
  /** Connection for the client's requests. Closed with the client if it opened it. */
  readonly connection: Connection;
}
