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
