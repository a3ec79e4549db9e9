import type { KubeObject, Resource } from '../../api/index.ts';
import type { ObjectKey } from '../../kube/types.ts';
import { groupOf } from '../../util/api-version.ts';

/**
 * The object of kind `owner` that controls this one, as its references say; by name, not by uid: when the last dependent
 * of a deleted owner goes away, the new owner of that name wants to know.
 */
export function ownerKeys(owner: Resource, object: KubeObject): ObjectKey[] {
  const reference = object.metadata.ownerReferences?.find((each) => each.controller === true);
  if (
    reference === undefined ||
    reference.kind !== owner.kind ||
    groupOf(reference.apiVersion) !== owner.group
  ) {
    return [];
  }
  if (!owner.namespaced) return [{ name: reference.name }];
  const { namespace } = object.metadata;
  // A namespaced owner of a cluster-scoped object: the API server accepts the reference, but it leads nowhere.
  return namespace === undefined ? [] : [{ name: reference.name, namespace }];
}
