import { importGroup, sharedFile, type ImportedModule, type SharedText } from '../../../import/index.ts';
import type { ImportedCrd } from '../../../import/verify-imports.ts';
import { readFileOf } from '../../../project/index.ts';
import { moduleRenderer, sharedRenderer, type RenderedModule } from './render-modules.ts';
import type { SettledCrd } from './settle-paths.ts';

export interface ImportSettings {
  readonly clientOnly: boolean;
  /** What new files begin with, without comment signs; may be empty. */
  readonly header: string;
  /** The folder of the APIs. */
  readonly folder: string;
}

/**
 * Makes files of CRDs, group by group. A group's files of shared types that are there already are among the files of those that
 * import from them, with the content that they have.
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
    const sharedTexts = await readShared(folder, group);
    const imported = importGroup(
      members.map(({ crd }) => crd),
      { clientOnly, sharedTexts },
    );
    const existing = sharedTexts.map(({ file, text }) => ({ path: `${group}/${file}`, content: text }));
    const shared = [...existing, ...imported.shared.map(renderShared)];
    for (const member of members) {
      const { crd, where, refusals, fileName } = member;
      const modules = imported.modules.get(crd) ?? [];
      const own = modules.map((module) => renamed(renderModule(module), module, fileName));
      const files = modules.some(({ sharing }) => sharing) ? [...own, ...shared] : own;
      found.set(member, { crd, where, refusals, files });
    }
  }
  return crds.flatMap((crd) => found.get(crd) ?? []);
}

async function readShared(folder: string, group: string): Promise<readonly SharedText[]> {
  const texts: SharedText[] = [];
  for (;;) {
    const file = sharedFile(texts.length + 1);
    const text = await readFileOf(folder, `${group}/${file}`);
    if (text === undefined) return texts;
    texts.push({ file, text });
  }
}

function renamed(file: RenderedModule, { group, version }: ImportedModule, fileName: string): RenderedModule {
  return { ...file, path: `${group}/${version}/${fileName}.ts` };
}
