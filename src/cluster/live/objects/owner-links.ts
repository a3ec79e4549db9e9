import type { KubeObject } from '../../../sdk/api/index.ts';

/**
 * Role of an object on a page. `shown`: always shown. `owned`: shown only if its owners lead to an object with the role `shown`. `apart`:
 * shown, but without other objects below it, like a node.
 */
export type Role = 'shown' | 'owned' | 'apart';

/** An object that a page may show. */
export interface Linkable {
  readonly id: string;
  readonly object: KubeObject;
  readonly role: Role;
}

/**
 * Returns the ids of the objects to show, each with the id of the shown object that owns it, or undefined if none does. Owners are followed
 * over any number of steps: Memcached, Deployment, ReplicaSet, Pod. An object with several owners is put below its controller, if that is
 * shown.
 */
export function linkOwners(objects: Iterable<Linkable>): ReadonlyMap<string, string | undefined> {
  const all = [...objects];
  const byUid = new Map(
    all.filter(({ role }) => role !== 'apart').map((each) => [each.object.metadata.uid ?? each.id, each]),
  );
  const known = new Map<Linkable, boolean>();
  const isShown = (each: Linkable): boolean => {
    if (each.role !== 'owned') return true;
    const result = known.get(each);
    if (result !== undefined) return result;
    // Ends the search for objects that own each other.
    known.set(each, false);
    const leads = ownersOf(each, byUid).some(isShown);
    known.set(each, leads);
    return leads;
  };
  const links = new Map<string, string | undefined>();
  for (const each of all.filter(isShown)) links.set(each.id, ownersOf(each, byUid).find(isShown)?.id);
  for (const id of links.keys()) if (isBelowItself(id, links)) links.set(id, undefined);
  return links;
}

function isBelowItself(id: string, links: ReadonlyMap<string, string | undefined>): boolean {
  const seen = new Set<string>();
  for (let at = links.get(id); at !== undefined && !seen.has(at); at = links.get(at)) {
    if (at === id) return true;
    seen.add(at);
  }
  return false;
}

/** Returns the known owners of an object, its controller first. */
function ownersOf({ object }: Linkable, byUid: ReadonlyMap<string, Linkable>): readonly Linkable[] {
  return (object.metadata.ownerReferences ?? [])
    .toSorted((a, b) => Number(b.controller ?? false) - Number(a.controller ?? false))
    .flatMap(({ uid }) => byUid.get(uid) ?? []);
}
