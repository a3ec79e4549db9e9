import type { KubeObject, ObjectMeta, OwnerReference, Resource } from '../../api/index.ts';
import { OpSdkError, FindingList, type Finding } from '../../../base/errors/index.ts';
import { groupOf } from '../../../base/util/kubernetes-words.ts';

/**
 * Returns an owner reference that makes `owner` the controller: `controller` and `blockOwnerDeletion` are true.
 *
 * @param owner an object that the API server has stored (it needs a uid)
 * @param resource the owner's kind; required only if the object lacks `apiVersion` and `kind`
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
 * Returns metadata for a new object that `owner` controls: the namespace of the owner (if it has one) and the controller reference. Spread
 * the result into `metadata`.
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
 * Makes `owner` the controller of `object`, in place; replaces a reference to the same owner. Same rules as controller-runtime's
 * `controllerutil.SetControllerReference`.
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
      fix: ['let only one owner control the object; refer to its other owners without `controller: true`'],
    });
  }
  object.metadata.ownerReferences = [...others, reference];
}

/** Returns true if both references refer to the same owner: group, kind and name are equal, but the version may differ. */
function isSameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return groupOf(a.apiVersion) === groupOf(b.apiVersion) && a.kind === b.kind && a.name === b.name;
}

interface Dependent {
  readonly kind?: string | undefined;
  readonly metadata: ObjectMeta;
}

/**
 * Checks that an owner is cluster-scoped, or in the same namespace as its dependent. The garbage collector searches for the owner in the
 * namespace of the dependent, and deletes the dependent if it cannot find the owner. Source: kubernetes.io "Owners and Dependents".
 *
 * @throws OpSdkError `runtime/owner-scope`
 */
function checkOwnerScope(owner: KubeObject, object: Dependent): void {
  const finding = scopeFinding(owner, object);
  if (finding !== undefined) throw new OpSdkError(finding);
}

/**
 * Checks the owners in an object that a reconcile is about to write. The API server does not check them: it would accept an owner in
 * another namespace, and the object would be deleted a moment later.
 *
 * @param owner the reconciled object; for references to other owners, only a second controller is reported
 * @throws OpSdkError with all findings
 */
export function checkOwners(owner: KubeObject, resource: Resource, object: Dependent): void {
  const references = object.metadata.ownerReferences ?? [];
  const findings = new FindingList();
  if (references.some((reference) => reference.uid === owner.metadata.uid)) {
    const placed = resource.namespaced
      ? object
      : { ...object, metadata: { ...object.metadata, namespace: undefined } };
    const finding = scopeFinding(owner, { ...placed, kind: resource.kind });
    if (finding !== undefined) findings.add(finding);
  }
  const controllers = references.filter((reference) => reference.controller === true);
  if (controllers.length > 1) {
    findings.add({
      code: 'runtime/second-controller',
      message: `${objectName({ ...object, kind: resource.kind })} names ${controllers.length} controllers: ${controllers.map((c) => `${c.kind} ${c.name}`).join(', ')}`,
      where: { object: objectName({ ...object, kind: resource.kind }), path: '.metadata.ownerReferences' },
      fix: ['let only one owner control the object; refer to its other owners without `controller: true`'],
    });
  }
  findings.throwIfAny();
}

function scopeFinding(owner: KubeObject, object: Dependent): Finding | undefined {
  const { namespace } = owner.metadata;
  if (namespace === undefined || namespace === object.metadata.namespace) return undefined;
  const dependent = objectName(object);
  const where = { object: dependent, path: '.metadata.ownerReferences' };
  if (object.metadata.namespace === undefined) {
    return {
      code: 'runtime/owner-scope',
      message: `${dependent} has no namespace and cannot be owned by ${objectName(owner)}, which has one`,
      where,
      fix: [
        'set its namespace to the owner’s, or delete cluster-scoped objects in a finalizer instead of owning them',
      ],
    };
  }
  return {
    code: 'runtime/owner-scope',
    message: `${dependent} cannot be owned by ${objectName(owner)}: they are in different namespaces`,
    where,
    fix: ['create it in the namespace of its owner, or find it by a label and a watch'],
  };
}

/** Returns the name of an object for messages: `Deployment default/web`. */
export function objectName(object: {
  readonly kind?: string | undefined;
  readonly metadata: Pick<ObjectMeta, 'name' | 'generateName' | 'namespace'>;
}): string {
  const { namespace, name, generateName } = object.metadata;
  const key = [namespace, name ?? (generateName === undefined ? '(no name)' : `${generateName}*`)];
  return `${object.kind ?? 'object'} ${key.filter((part) => part !== undefined).join('/')}`;
}
