import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportedModule, SharedModule } from '../../../compiler/import/index.ts';
import { kebabCase } from '../../../project/project/index.ts';
import { render, templatesRoot } from '../../../project/scaffold/index.ts';

/** Text of a file with types. The path of the file is relative to the folder of the APIs. */
export interface RenderedModule {
  readonly path: string;
  readonly content: string;
}

/**
 * Returns a function that renders imported modules as files.
 * @param header first lines of new files, without comment signs; may be empty
 */
export async function moduleRenderer(header: string): Promise<(module: ImportedModule) => RenderedModule> {
  const template = await readFile(join(templatesRoot, 'import', 'types.ts.hbs'), 'utf8');
  return ({ group, version, kind, imports, declarations, resource }) => ({
    path: `${group}/${version}/${kebabCase(kind)}.ts`,
    content: render(template, {
      hasHeader: header !== '',
      header,
      imports: imports.map(({ from, clause }) => ({ from, clause })),
      declarations: [...declarations],
      resource,
    }),
  });
}

/** Returns the first sentence of the file that contains the shared types of a group. */
const purposeOf = (group: string): string =>
  `Types of ${group} beside its kinds: a change here changes each kind and version that uses them.`;

/** Returns true if {@link sharedRenderer} rendered the text, even if somebody has edited the text since. */
export function isRenderedShared(group: string, text: string): boolean {
  return text.includes(purposeOf(group));
}

/**
 * Returns a function that renders the types that several kinds and versions of a group share.
 * @param header first lines of new files, as in {@link moduleRenderer}; may be empty
 */
export async function sharedRenderer(header: string): Promise<(module: SharedModule) => RenderedModule> {
  const template = await readFile(join(templatesRoot, 'import', 'shared.ts.hbs'), 'utf8');
  return ({ group, file, imports, declarations }) => ({
    path: `${group}/${file}`,
    content: render(template, {
      hasHeader: header !== '',
      header,
      purpose: purposeOf(group),
      imports: imports.map(({ from, clause }) => ({ from, clause })),
      declarations: [...declarations],
    }),
  });
}
