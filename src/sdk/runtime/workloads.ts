import type { DeepReadonly, KubeObject, Resource, Stored } from '../api/index.ts';
import { keyText, type ObjectKey } from '../kube/index.ts';
import type { Pod } from '../k8s/generated/core/v1.ts';
import type { MapContext } from './controller/index.ts';
import { ownerKeys } from './controller/predicates.ts';

/** Returns true if a Pod can serve requests: its condition `Ready` is `True`, and it is not under deletion. */
export function isReady({ metadata, status }: DeepReadonly<Pick<Pod, 'metadata' | 'status'>>): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && metadata.deletionTimestamp === undefined;
}

/**
 * Returns a `map` for `watch` that leads from an object to the owner of its owner, such as from the Pods of a StatefulSet to the object that
 * owns the StatefulSet. The owners between are read from the cache, without a request, so `owns` or `watches` of a controller must declare
 * their kinds.
 *
 * @param owner the `for` kind of the controller
 * @param between kinds of the owners between, from the watched object upwards
 *
 * @example
 * owns: [StatefulSet],
 * watches: [watch(Pod, { map: ownerThrough(Database, StatefulSet) })],
 *
 * @example
 * // A Deployment owns its Pods through ReplicaSets, whose metadata suffices.
 * const Replicas = metadataOnly(ReplicaSet);
 * owns: [Deployment],
 * watches: [watch(Pod, { map: ownerThrough(Site, Replicas, Deployment) }), watch(Replicas, { map: () => [] })],
 */
export function ownerThrough(
  owner: Resource,
  ...between: readonly Resource[]
): (object: Stored<KubeObject>, context: MapContext) => Promise<readonly ObjectKey[]> {
  return async (object, { client }) => {
    let objects: readonly Stored<KubeObject>[] = [object];
    for (const resource of between) {
      const found = objects.flatMap((each) => ownerKeys(resource, each));
      const owners = await Promise.all(found.map((key) => client.find(resource, key)));
      objects = owners.filter((each) => each !== undefined);
    }
    const keys = objects.flatMap((each) => ownerKeys(owner, each));
    return [...new Map(keys.map((key) => [keyText(key), key])).values()];
  };
}
