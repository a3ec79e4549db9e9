import type { KubeObject, Resource } from '../../api/index.ts';
import type { ObjectKey } from '../../kube/types.ts';
import { groupOf } from '../../../base/util/api-version.ts';

/**
 * The object of kind `owner` that controls this one, or with `anyOwner` each that owns it, as its references say; by name, not by uid: when the last dependent
 * of a deleted owner goes away, the new owner of that name wants to know.
 */
export function ownerKeys(owner: Resource, object: KubeObject, anyOwner = false): ObjectKey[] {
  const { namespace, ownerReferences = [] } = object.metadata;
  // A namespaced owner of a cluster-scoped object: the API server accepts the reference, but it leads nowhere.
  if (owner.namespaced && namespace === undefined) return [];
  return ownerReferences
    .filter(
      ({ apiVersion, kind, controller }) =>
        (anyOwner || controller === true) && kind === owner.kind && groupOf(apiVersion) === owner.group,
    )
    .map(({ name }) => (owner.namespaced ? { name, namespace } : { name }));
}
