import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';

/** A kind whose objects control others. */
export interface OwnerKind {
  readonly group: string;
  readonly kind: string;
}

type Listed = Pick<KubeObject, 'metadata'>;

/** Collects the uids of listed objects, to distinguish an owner from a later object with the same name. */
export class ListedUids {
  readonly #uids = new Map<string, string>();

  add({ group, kind }: Resource, { metadata: { name, namespace, uid } }: Listed): void {
    if (uid !== undefined) this.#uids.set(uidKey({ group, kind }, namespace, name), uid);
  }

  /**
   * Returns true if the controller reference of an object names one of the kinds. If the owner was listed, its uid must be that of the
   * reference. An owner that was not listed, for example because of a selector, is not checked.
   */
  isControlled({ metadata }: Listed, owners: readonly OwnerKind[]): boolean {
    const reference = metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (reference === undefined) return false;
    const { apiVersion, kind, name, uid } = reference;
    const owner = owners.find((each) => each.kind === kind && each.group === groupOf(apiVersion));
    if (owner === undefined) return false;
    // The owner is in the namespace of the object, or cluster-scoped.
    const known =
      this.#uids.get(uidKey(owner, metadata.namespace, name)) ??
      this.#uids.get(uidKey(owner, undefined, name));
    return known === undefined || known === uid;
  }
}

function uidKey({ group, kind }: OwnerKind, namespace: string | undefined, name: string): string {
  return JSON.stringify([group, kind, namespace, name]);
}
