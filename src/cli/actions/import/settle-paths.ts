import type { Finding } from '../../../errors/index.ts';
import type { ImportedCrd } from '../../../import/verify-imports.ts';

/** CRDs that can be written beside each other, and what is against the others. */
export interface SettledImports {
  readonly imports: readonly ImportedCrd[];
  readonly conflicts: readonly Finding[];
}

/**
 * Gives each CRD files of its own: kinds whose names differ in nothing but capital letters would share one. Of two CRDs of one
 * kind, whose types could not be distinguished, the first is kept.
 */
export function settlePaths(imports: readonly ImportedCrd[]): SettledImports {
  const taken = new Map<string, ImportedCrd>();
  const conflicts: Finding[] = [];
  const settled = imports.flatMap((imported): readonly ImportedCrd[] => {
    const { names } = imported.crd.spec;
    const others = imported.files.map(({ path }) => taken.get(path)).filter((other) => other !== undefined);
    const same = others.find((other) => other.crd.spec.names.kind === names.kind);
    if (same !== undefined) {
      conflicts.push(sameKind(imported, same));
      return [];
    }
    const files =
      others.length === 0
        ? imported.files
        : imported.files.map((file) => ({
            ...file,
            path: file.path.replace(/\.ts$/, `-${names.plural}.ts`),
          }));
    const own: ImportedCrd = { ...imported, files };
    for (const { path } of files) taken.set(path, own);
    return [own];
  });
  return { imports: settled, conflicts };
}

function sameKind({ crd, where }: ImportedCrd, other: ImportedCrd): Finding {
  return {
    code: 'import/different-crds',
    message: `${crd.metadata.name} and ${other.crd.metadata.name} define the same kind, ${crd.spec.names.kind} of ${crd.spec.group}`,
    where,
    fix: ['import it into a folder of its own with --output-dir'],
  };
}
