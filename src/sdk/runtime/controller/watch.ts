import {
  metadataOnly,
  type KubeObject,
  type PartialObjectMetadata,
  type Resource,
  type Stored,
} from '../../api/index.ts';
import type { ObjectKey } from '../../kube/types.ts';
import type { CachedReader } from '../cache/index.ts';
import type { OtherClusterClient } from '../client/index.ts';
import type { Predicate } from './predicates.ts';

/** Which objects to reconcile. The `metadata` of an object is its key. */
export type ObjectKeys = readonly ObjectKey[] | ReadonlySet<ObjectKey>;

/** Context of `map`. */
export interface MapContext {
  /** Reads from the cache. */
  readonly client: CachedReader;
}

/** Another cluster than the manager's own, and a client of it. Made by `manager.addCluster`. */
export interface ClusterHandle {
  /** In logs and metrics. */
  readonly name: string;
  /** Reads the kinds that are watched in it from their cache, others by `live`, and writes to it. */
  readonly client: OtherClusterClient;
}

/** Which changes of a watched kind matter, and to whom. */
export interface WatchOptions<T extends KubeObject> {
  /** The objects to reconcile when this one has changed: keys of the controller's `for` kind. Called for the old and the new state of an update; when changes come faster than maps end, states in between are left out. When it throws, it is called again with the controller's back-off until it succeeds; `terminalError(error)` gives the change up. */
  map(object: Stored<T>, context: MapContext): ObjectKeys | Promise<ObjectKeys>;
  /** Which changes count; all must agree. Default: every change. */
  readonly predicates?: readonly Predicate<T>[];
  /** Watch the metadata of the objects alone, as `watch(metadataOnly(K), …)` does. Default: false. */
  readonly metadataOnly?: boolean;
  /** Watch the kind in another cluster. Default: the manager's own. */
  readonly cluster?: ClusterHandle;
}

/** A kind whose changes matter to a controller, and which of the controller's objects they matter to. Made by `watch`. */
export interface ObjectWatch {
  /** The watched kind. */
  readonly resource: Resource;
  /** The other cluster that the kind is watched in. */
  readonly cluster?: ClusterHandle | undefined;
  /** Returns true if a change counts. */
  accepts: Predicate;
  /** The objects to reconcile when this one has changed. */
  map(object: Stored<KubeObject>, context: MapContext): Iterable<ObjectKey> | Promise<Iterable<ObjectKey>>;
}

/**
 * Lets a controller watch a kind that it does not own.
 *
 * @example
 * watches: [
 *   watch(Secret, {
 *     map: async (secret, { client }) => {
 *       const sites = await client.list(Site, { namespace: secret.metadata.namespace });
 *       return sites.items.filter((site) => site.spec.secretName === secret.metadata.name).map((site) => site.metadata);
 *     },
 *   }),
 * ]
 */
export function watch<T extends KubeObject, M extends boolean = false>(
  resource: Resource<T>,
  options: WatchOptions<M extends true ? PartialObjectMetadata<T> : T> & { readonly metadataOnly?: M },
): ObjectWatch {
  const predicates = (options.predicates ?? []) as readonly Predicate[];
  return {
    resource: options.metadataOnly === true ? metadataOnly(resource) : resource,
    cluster: options.cluster,
    accepts: (change) => predicates.every((predicate) => predicate(change)),
    // The cache delivers objects of the token's kind only.
    map: (object, context) => options.map(object as Stored<never>, context),
  };
}
