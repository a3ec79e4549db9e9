import type { Finding } from '../../../base/errors/index.ts';
import {
  verifyImports,
  type GenerateCrds,
  type ImportedCrd,
} from '../../../compiler/import/verify-imports.ts';
import { generateManifests } from '../../../compiler/manifests/index.ts';
import { isSharedFile } from '../../../compiler/import/index.ts';
import type { SettledCrd } from './settle-paths.ts';

/** Imports that can be written, and why the rest does not come back as it was. */
export interface Verified {
  readonly imports: readonly ImportedCrd[];
  readonly lost: readonly Finding[];
}

/**
 * Imports CRDs, and leaves out those that do not come back. Where one of these shares types with others of its group, the others are
 * imported once more: what they share without it is less.
 *
 * @param allowLoss leave none out
 */
export async function verifyAll(
  crds: readonly SettledCrd[],
  importAll: (crds: readonly SettledCrd[]) => Promise<readonly ImportedCrd[]>,
  allowLoss: boolean,
): Promise<Verified> {
  const imports = await importAll(crds);
  const losses = verifyImports(imports, generate);
  const lost = [...losses.values()].flat();
  if (losses.size === 0 || allowLoss) return { imports, lost };
  const kept = imports.filter((item) => !losses.has(item));
  const groups = new Set([...losses.keys()].filter(isSharing).map(({ crd }) => crd.spec.group));
  if (groups.size === 0) return { imports: kept, lost };
  const isAgain = ({ crd }: Pick<SettledCrd, 'crd'>): boolean => groups.has(crd.spec.group);
  const names = new Set(kept.filter(isAgain).map(({ crd }) => crd.metadata.name));
  const again = await verifyAll(
    crds.filter(({ crd }) => names.has(crd.metadata.name)),
    importAll,
    allowLoss,
  );
  return {
    imports: [...kept.filter((item) => !isAgain(item)), ...again.imports],
    lost: [...lost, ...again.lost],
  };
}

function isSharing({ crd, files }: ImportedCrd): boolean {
  const { group } = crd.spec;
  return files.some(({ path }) => path.startsWith(`${group}/`) && isSharedFile(path.slice(group.length + 1)));
}

const generate: GenerateCrds = (projectDir, texts) =>
  generateManifests({ projectDir, apisDir: '.', only: 'crd', texts }).files.map(({ document }) => document);
