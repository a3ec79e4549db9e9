import type { ReadCrd } from '../../../kubernetes/crd/index.ts';
import type { Finding } from '../../../base/errors/index.ts';
import { kebabCase } from '../../../project/project/names.ts';

/** A CRD and the name of its files, without `.ts`. */
export interface SettledCrd extends ReadCrd {
  readonly fileName: string;
}

/** CRDs that can be written beside each other, and what is against the others. */
export interface SettledCrds {
  readonly crds: readonly SettledCrd[];
  readonly conflicts: readonly Finding[];
}

/**
 * Gives each CRD files of its own: kinds whose names differ in nothing but capital letters would share one. Of two CRDs of one
 * kind, whose types could not be distinguished, the first is kept.
 */
export function settlePaths(crds: readonly ReadCrd[]): SettledCrds {
  const taken = new Set<string>();
  const kinds = new Map<string, ReadCrd>();
  const conflicts: Finding[] = [];
  const settled = crds.flatMap((read): readonly SettledCrd[] => {
    const { group, names, versions } = read.crd.spec;
    const placesOf = (name: string): readonly string[] =>
      versions.map((version) => `${group}/${version.name}/${name}`);
    const same = placesOf(names.kind).flatMap((place) => kinds.get(place) ?? [])[0];
    if (same !== undefined) {
      conflicts.push(sameKind(read, same));
      return [];
    }
    for (const place of placesOf(names.kind)) kinds.set(place, read);
    // Not every file system distinguishes capital letters.
    const isFree = (name: string): boolean => !placesOf(name).some((place) => taken.has(place.toLowerCase()));
    const fileName = firstFree(kebabCase(names.kind), names.plural, isFree);
    for (const place of placesOf(fileName)) taken.add(place.toLowerCase());
    return [{ ...read, fileName }];
  });
  return { crds: settled, conflicts };
}

/** The name itself, else with the plural, which is the kind's own in its group, else with a number, too. */
function firstFree(name: string, plural: string, isFree: (name: string) => boolean): string {
  if (isFree(name)) return name;
  const longer = `${name}-${plural}`;
  let free = longer;
  for (let number = 2; !isFree(free); number++) free = `${longer}-${number}`;
  return free;
}

function sameKind({ crd, where }: ReadCrd, other: ReadCrd): Finding {
  return {
    code: 'import/different-crds',
    message: `${crd.metadata.name} and ${other.crd.metadata.name} define the same kind, ${crd.spec.names.kind} of ${crd.spec.group}`,
    where,
    fix: ['import it into a folder of its own with --output-dir'],
  };
}
