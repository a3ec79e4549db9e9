/**
 * Access to an API server: transport (HTTP/2 and HTTP/1.1), credentials, the typed client, watches. Implements the Kubernetes wire protocol
 * and is independent of controllers. The module is bundled into operators. The code for kubeconfig files (js-yaml) and credential plugins
 * (client-node, used only in this module) is loaded when needed, never at start-up.
 */
export type * from './types.ts';
export { ApiClient } from './client/api-client.ts';
export {
  createClient,
  type ClientOptions,
  createClusterClient,
  type ClusterClientOptions,
} from './client/create-client.ts';
export { ownAccess, type AccessAttributes } from './client/own-access.ts';
export type {
  ClusterClient,
  KubeClient,
  ObjectWatchEvent,
  WatchEventsOptions,
} from './client/kube-client.ts';
export type {
  Client,
  ClusterReader,
  DeleteCollectionOptions,
  EvictOptions,
  LiveClient,
  PageOptions,
  RawRequest,
  RawResponse,
  Scale,
  SubresourceClient,
} from './client/live-client.ts';
export type { ExecOptions, ExecResult } from './live/exec.ts';
export { execChannels, execProtocols, messageOn, portChannels, portProtocol } from './live/channels.ts';
export type { PodLogOptions } from './live/pod-log.ts';
export {
  connectThrough,
  openConnection,
  type ApiCall,
  type ApiResponse,
  type Connection,
  type ConnectionOptions,
  type RequestObservation,
} from './client/connection.ts';
export type { RequestMessage } from './client/published-request.ts';
export { type CallTarget, resourcePath, type Query, type Status } from './client/calls.ts';
export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isTypeNotServed,
  isUnauthorized,
  objectNotFound,
  namedRight,
  unnamedRight,
} from './client/api-error.ts';
export { checkPlace, isUnsafeInteger, unsafeIntegers } from './client/check-request.ts';
export { noCredentials, type Cluster, type Credentials } from './cluster/cluster.ts';
export { inClusterSource, podNamespace } from './cluster/in-cluster.ts';
export { loadCluster, type LoadClusterOptions } from './cluster/load-cluster.ts';
export type { Protocol } from './transport/create-transport.ts';
export type { TransportError, TransportErrorCode } from './transport/transport-error.ts';
export type {
  HeaderValues,
  TlsMaterial,
  TransportSettings,
  TransportStream,
  UpgradedSocket,
  Transport,
  TransportRequest,
  TransportResponse,
  TransportTarget,
} from './transport/transport.ts';
export {
  Reflector,
  type ReflectorHandler,
  type ReflectorOptions,
  type ReflectorState,
} from './watch/reflector.ts';
export type { ReflectorSettings } from './watch/recovery.ts';
export type { Clock } from '../net/index.ts';
export {
  createRestMapper,
  discover,
  type ApiDirectory,
  type RestMapper,
  type ServedType,
} from './discovery/index.ts';
export { keyText, parseKey, keyOf } from './object-key.ts';
