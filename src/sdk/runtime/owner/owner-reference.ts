import type { KubeObject, ObjectMeta, OwnerReference, Resource } from '../../api/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { groupOf } from '../../../base/util/api-version.ts';
import { checkOwnerScope } from './check-owners.ts';
import { objectName } from './object-name.ts';

/**
 * The reference by which an object says that `owner` controls it: `controller` and `blockOwnerDeletion` are true.
 *
 * @param owner an object that the API server has stored (it needs a uid)
 * @param resource the owner's kind; only needed where `apiVersion` and `kind` are not in the object
 * @throws OpSdkError `runtime/owner-incomplete`
 */
export function ownerReference(owner: KubeObject, resource?: Resource): OwnerReference {
  const apiVersion = resource?.apiVersion ?? owner.apiVersion;
  const kind = resource?.kind ?? owner.kind;
  const { name, uid } = owner.metadata;
  if (!apiVersion || !kind || !name || !uid) {
    throw new OpSdkError({
      code: 'runtime/owner-incomplete',
      message: `incomplete owner ${objectName(owner)}: expected apiVersion, kind, metadata.name and metadata.uid`,
      fix: ['use the object that reconcile was given, or one that the client returned'],
    });
  }
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * The metadata that puts a new object under `owner`: its namespace (if it has one) and the controller reference. Spread it.
 *
 * @example
 * await client.apply(Deployment, { metadata: { name: nginx.metadata.name, ...ownedBy(nginx) }, spec });
 */
export function ownedBy(
  owner: KubeObject,
): Pick<ObjectMeta, 'namespace'> & { ownerReferences: OwnerReference[] } {
  const { namespace } = owner.metadata;
  const ownerReferences = [ownerReference(owner)];
  return namespace === undefined ? { ownerReferences } : { namespace, ownerReferences };
}

/**
 * Makes `owner` the controller of `object`, in place; a reference to the same owner is replaced. Rules of
 * controller-runtime's `controllerutil.SetControllerReference`.
 *
 * @throws OpSdkError `runtime/owner-scope` for an owner in another namespace or a namespaced owner of a cluster-scoped object,
 * `runtime/second-controller` if another owner controls the object
 */
export function setControllerReference(owner: KubeObject, object: { metadata: ObjectMeta }): void {
  const reference = ownerReference(owner);
  checkOwnerScope(owner, object);
  const others = (object.metadata.ownerReferences ?? []).filter((other) => !isSameOwner(other, reference));
  const controller = others.find((other) => other.controller === true);
  if (controller !== undefined) {
    throw new OpSdkError({
      code: 'runtime/second-controller',
      message: `${objectName(object)} already has a controller: ${controller.kind} ${controller.name}`,
      where: { object: objectName(object), path: '.metadata.ownerReferences' },
      fix: ['let one owner control it; refer to others without `controller: true`'],
    });
  }
  object.metadata.ownerReferences = [...others, reference];
}

/** The same owner, whichever version it is referred to by: group, kind and name. */
function isSameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return groupOf(a.apiVersion) === groupOf(b.apiVersion) && a.kind === b.kind && a.name === b.name;
}
