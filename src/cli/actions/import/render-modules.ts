import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CrdDocument } from '../../../crd/index.ts';
import { sharedFile, type DeclarationModule, type ImportedModule } from '../../../import/index.ts';
import { kebabCase } from '../../../project/names.ts';
import { render, type JsonValue } from '../../../scaffold/engine.ts';
import { templatesRoot } from '../../../scaffold/template-tree.ts';

/** A file of types as text; its path is relative to the folder of the APIs. */
export interface RenderedModule {
  readonly path: string;
  readonly content: string;
}

/**
 * Makes files of modules.
 * @param header what new files begin with, without comment signs; may be empty
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

/**
 * Makes files of what the kinds and versions of a group share.
 * @param header as in {@link moduleRenderer}
 */
export async function sharedRenderer(header: string): Promise<(module: DeclarationModule) => RenderedModule> {
  const template = await readFile(join(templatesRoot, 'import', 'shared.ts.hbs'), 'utf8');
  return ({ group, imports, declarations }) => ({
    path: sharedPath(group),
    content: render(template, {
      hasHeader: header !== '',
      header,
      purpose: `What several kinds or versions of ${group} share: a change here changes all of them.`,
      imports: imports.map(({ from, clause }) => ({ from, clause })),
      declarations: [...declarations],
    }),
  });
}

/** The path of a group's shared types, relative to the folder of the APIs. */
export function sharedPath(group: string): string {
  return `${group}/${sharedFile}`;
}

/** Makes the file of a definition that only tests of the project install. */
export async function renderTestDefinition(document: Partial<CrdDocument>): Promise<string> {
  return render(await readFile(join(templatesRoot, 'import', 'crd.yaml.hbs'), 'utf8'), {
    document: document as JsonValue,
  });
}
