import type { KubeObject, ObjectMeta, Resource } from '../../api/index.ts';
import { FindingList, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { objectName } from './object-name.ts';

interface Dependent {
  readonly kind?: string | undefined;
  readonly metadata: ObjectMeta;
}

/**
 * An owner must live where its dependents do: in the same namespace, or in none. The garbage collector deletes
 * dependents whose owner it cannot find from where they are. Source: kubernetes.io "Owners and Dependents".
 *
 * @throws OpSdkError `runtime/owner-scope`
 */
export function checkOwnerScope(owner: KubeObject, object: Dependent): void {
  const finding = scopeFinding(owner, object);
  if (finding !== undefined) throw new OpSdkError(finding);
}

/**
 * Checks the owners in an object that a reconcile is about to write, where the API server does not: it accepts owners in other namespaces, and the
 * object is deleted a moment later.
 *
 * @param owner the object that is reconciled; references to others are checked for a second controller only
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
      fix: ['let one owner control it; refer to others without `controller: true`'],
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
