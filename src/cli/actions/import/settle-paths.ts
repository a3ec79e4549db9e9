import type { ReadCrd } from '../../../crd/index.ts';
import type { Finding } from '../../../errors/index.ts';
import { kebabCase } from '../../../project/names.ts';

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
  const taken = new Map<string, ReadCrd>();
  const conflicts: Finding[] = [];
  const settled = crds.flatMap((read): readonly SettledCrd[] => {
    const { group, names, versions } = read.crd.spec;
    const fileName = kebabCase(names.kind);
    const paths = versions.map((version) => `${group}/${version.name}/${fileName}`);
    const others = paths.flatMap((path) => taken.get(path) ?? []);
    const same = others.find((other) => other.crd.spec.names.kind === names.kind);
    if (same !== undefined) {
      conflicts.push(sameKind(read, same));
      return [];
    }
    const suffix = others.length === 0 ? '' : `-${names.plural}`;
    for (const path of paths) taken.set(`${path}${suffix}`, read);
    return [{ ...read, fileName: `${fileName}${suffix}` }];
  });
  return { crds: settled, conflicts };
}

function sameKind({ crd, where }: ReadCrd, other: ReadCrd): Finding {
  return {
    code: 'import/different-crds',
    message: `${crd.metadata.name} and ${other.crd.metadata.name} define the same kind, ${crd.spec.names.kind} of ${crd.spec.group}`,
    where,
    fix: ['import it into a folder of its own with --output-dir'],
  };
}
