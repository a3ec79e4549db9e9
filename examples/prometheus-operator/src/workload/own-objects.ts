import type { KubeObject } from 'opsdk';

/** Returns true for an object that belongs to another one, and not only has its labels. */
export function isOwn({ ownerReferences }: KubeObject['metadata'], owner: KubeObject): boolean {
  return ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;
}

/** Returns labels as a selector, in the syntax of `kubectl -l`. */
export function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/**
 * Keeps an object of somebody else from being taken over, and deleted with the new owner.
 *
 * @param existing object of a name that the owner's object is about to have, if there is one
 * @throws Error if it does not belong to the owner
 */
export function refuseForeign(existing: KubeObject | undefined, owner: KubeObject): void {
  if (existing === undefined || isOwn(existing.metadata, owner)) return;
  const { kind, metadata } = existing;
  throw new Error(
    `${kind} ${metadata.name} exists and does not belong to ${owner.kind} ${owner.metadata.name}: delete it, or rename one of them`,
  );
}
