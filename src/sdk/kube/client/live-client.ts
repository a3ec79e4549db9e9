import type { Duplex } from 'node:stream';
import type { KubeList, KubeObject, ObjectOf, Resource, StoredCopy } from '../../api/index.ts';
import type { ExecOptions, ExecResult } from '../live/exec.ts';
import type { PodLogOptions } from '../live/pod-log.ts';
import type { HeaderValues } from '../transport/transport.ts';
import type {
  CallOptions,
  DeleteOptions,
  ListOptions,
  LiveReader,
  ObjectKey,
  Patch,
  Reader,
  WriteOptions,
  Writer,
} from '../types.ts';
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

/** Options of an eviction. */
export interface EvictOptions
  extends CallOptions, Pick<DeleteOptions, 'gracePeriodSeconds' | 'preconditions'> {
  /** True to let the server only check whether the Pod may be evicted now. Default: false. */
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

/**
 * Reads from the API server, past the cache, and makes the requests that go beyond single objects: logs, commands and ports of Pods, evictions,
 * scales, other subresources, collections, and APIs without types. The cache does not show the writes of these methods before their watch
 * events arrive.
 */
export interface LiveClient extends LiveReader {
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
   * Evicts a Pod: deletes it, unless a PodDisruptionBudget forbids that now.
   * @throws ApiError `kube/too-many-requests` ({@link isTooManyRequests}) while a budget forbids the eviction: try again later;
   * `kube/not-found`
   */
  evict(pod: ObjectKey, options?: EvictOptions): Promise<void>;
  /**
   * Reads the log of a container line by line, without line ends. A line of more than 1 MiB comes in parts. The iteration ends at the end of
   * the log, with `follow` when the container has ended; on `break`, or on an abort. While a loop does not ask for the next line, the server
   * waits.
   * @example
   * for await (const line of client.live.logs(pod.metadata, { container: 'migrate', tailLines: 10 })) log.info({ line }, 'migration');
   * @throws ApiError `kube/not-found`; with status 400 if the Pod does not have the container, or has not started it; TransportError when
   * the connection breaks; the signal's reason
   */
  logs(pod: ObjectKey, options?: PodLogOptions): AsyncIterable<string>;
  /**
   * Runs a command in a container and returns its exit code and its output. A command that fails resolves, too: look at `exitCode`.
   *
   * The signal ends the call, not the command, since Kubernetes cannot end one: it finds its input ended and its outputs closed, and if it
   * neither reads nor writes, it runs until it or its container ends. Limit such a command itself: `['timeout', '60', …]`. Nodes may lose the end
   * of a command that leaves more than 64 KiB of its input unread, so that only the signal ends the call.
   * @example
   * const { exitCode, stderr } = await client.live.exec(pod.metadata, { container: 'db', command: ['pg_isready'] });
   * @throws ApiError `kube/not-found`, `kube/forbidden`; with status 400 if the Pod does not have the container; if the command cannot be started;
   * TransportError `kube/connection-lost` when the connection breaks, for example because the node goes down; OpSdkError
   * `kube/invalid-request`, `runtime/not-leader`; errors of the given streams; the signal's reason
   */
  exec(pod: ObjectKey, options: ExecOptions): Promise<ExecResult>;
  /**
   * Connects to a port of a Pod through the API server. The stream ends in both directions when either side ends it, also when the Pod is
   * deleted; data that has not arrived when this side ends the stream is lost. Destroy it when it is no longer needed. If nothing listens
   * on the port, the stream fails with an error.
   * @throws the errors of `exec`
   */
  portForward(pod: ObjectKey, port: number, options?: CallOptions): Promise<Duplex>;
  /** Requests that the typed methods do not cover. */
  readonly raw: {
    /**
     * Sends a request and returns the answer.
     * @throws ApiError for every status except 2xx
     */
    request(request: RawRequest): Promise<RawResponse>;
  };
}

/** Reads from another cluster. The methods read from the cache of that cluster; the methods of `live` read from its API server. */
export interface ClusterReader extends Reader {
  readonly source: 'cluster';
  /** Reads directly from the API server of the other cluster, and makes requests that go beyond single objects. */
  readonly live: LiveClient;
}

/** Reads from and writes to the API server. */
export interface Client extends LiveClient, Writer {}
