import { join } from 'node:path';
import { importGroup, type ImportedModule } from '../../../import/index.ts';
import type { ImportedCrd } from '../../../import/verify-imports.ts';
import { readFileOf } from '../../../project/index.ts';
import { moduleRenderer, sharedPath, sharedRenderer, type RenderedModule } from './render-modules.ts';
import type { SettledCrd } from './settle-paths.ts';

export interface ImportSettings {
  readonly clientOnly: boolean;
  /** What new files begin with, without comment signs; may be empty. */
  readonly header: string;
  /** The folder of the APIs. */
  readonly folder: string;
}

/**
 * Makes files of CRDs, group by group. A group's file of shared types that is there already is among the files of those that import from
 * it, with the content that it has.
 */
export async function importSettled(
  crds: readonly SettledCrd[],
  { clientOnly, header, folder }: ImportSettings,
): Promise<readonly ImportedCrd[]> {
  const renderModule = await moduleRenderer(header);
  const renderShared = await sharedRenderer(header);
  const found = new Map<SettledCrd, ImportedCrd>();
  for (const group of new Set(crds.map(({ crd }) => crd.spec.group))) {
    const members = crds.filter(({ crd }) => crd.spec.group === group);
    const path = sharedPath(group);
    const sharedText = await readFileOf(folder, path);
    const imported = importGroup(
      members.map(({ crd }) => crd),
      { clientOnly, sharedText },
    );
    const shared = imported.shared === undefined ? undefined : renderShared(imported.shared);
    const file = shared ?? { path, content: sharedText ?? '' };
    for (const member of members) {
      const { crd, where, refusals, fileName } = member;
      const modules = imported.modules.get(crd) ?? [];
      const own = modules.map((module) => renamed(renderModule(module), module, fileName));
      const files = modules.some(({ sharing }) => sharing) ? [...own, file] : own;
      found.set(member, { crd, where, refusals, files });
    }
  }
  return crds.flatMap((crd) => found.get(crd) ?? []);
}

function renamed(file: RenderedModule, { group, version }: ImportedModule, fileName: string): RenderedModule {
  return { ...file, path: join(group, version, `${fileName}.ts`).replaceAll('\\', '/') };
}
