import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  importGroup,
  isSharedFile,
  type ImportedModule,
  type SharedText,
} from '../../../compiler/import/index.ts';
import type { ImportedCrd } from '../../../compiler/import/verify-imports.ts';
import { readFileOf } from '../../../project/project/index.ts';
import { isRenderedShared, moduleRenderer, sharedRenderer, type RenderedModule } from './render-modules.ts';
import type { SettledCrd } from './settle-paths.ts';

export interface ImportSettings {
  readonly clientOnly: boolean;
  /** Header of new files, without comment signs; may be empty. */
  readonly header: string;
  /** The folder of the APIs. */
  readonly folder: string;
}

/**
 * Makes files of CRDs, group by group. A group's files of shared types that are there already are among the files of those that
 * import from them, with the content that they have. Files of the same names that no import has written count for nothing but their names.
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
    const existingTexts = await readShared(folder, group);
    const sharedTexts = existingTexts.filter(({ text }) => isRenderedShared(group, text));
    const imported = importGroup(
      members.map(({ crd }) => crd),
      { clientOnly, sharedTexts, takenFiles: existingTexts.map(({ file }) => file) },
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

/** All of them, whichever numbers are missing. */
async function readShared(folder: string, group: string): Promise<readonly SharedText[]> {
  // A folder that is not there has no files.
  const names = await readdir(join(folder, group)).catch(() => []);
  const texts: SharedText[] = [];
  for (const file of names.filter(isSharedFile).sort(byNumber)) {
    const text = await readFileOf(folder, `${group}/${file}`);
    if (text !== undefined) texts.push({ file, text });
  }
  return texts;
}

function byNumber(left: string, right: string): number {
  const [a, b] = [left, right].map((name) => Number(/\d+/.exec(name)?.[0] ?? 1));
  return (a ?? 1) - (b ?? 1);
}

function renamed(file: RenderedModule, { group, version }: ImportedModule, fileName: string): RenderedModule {
  return { ...file, path: `${group}/${version}/${fileName}.ts` };
}
