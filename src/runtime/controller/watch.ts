import type { KubeObject, Resource } from '../../api/index.ts';
import type { ObjectKey, Reader } from '../../kube/types.ts';
import type { Predicate } from './predicates.ts';

/** What `map` may use. */
export interface MapContext {
  /** Reads from the cache. */
  readonly client: Reader;
}

type Keys = Iterable<ObjectKey>;

export interface WatchOptions<T extends KubeObject> {
  /** The objects to reconcile when this one has changed: keys of the controller's `for` kind. Called for the old and the new state of an update. */
  map(object: Readonly<T>, context: MapContext): Keys | Promise<Keys>;
  /** All must agree. Default: every change counts. */
  readonly predicates?: readonly Predicate<T>[];
}

/** A kind whose changes concern a controller, and which of its objects they concern. */
export interface ObjectWatch {
  readonly resource: Resource;
  accepts: Predicate;
  map(object: Readonly<KubeObject>, context: MapContext): Keys | Promise<Keys>;
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
export function watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions<T>): ObjectWatch {
  const predicates = (options.predicates ?? []) as readonly Predicate[];
  return {
    resource,
    accepts: (change) => predicates.every((predicate) => predicate(change)),
    // The cache delivers objects of the token's kind only.
    map: (object, context) => options.map(object as Readonly<T>, context),
  };
}
