import type { Declaration, DeclarationModule, Field, Use } from './model.ts';
import {
  importedNames,
  inOrder,
  inside,
  itemDescriptions,
  nameDeclarations,
  type NamedDeclaration,
  type NamingRoot,
} from './name-declarations.ts';
import { createNames } from './names.ts';
import { printDeclared } from './print-declarations.ts';
import { createImports, type PrintContext } from './print-types.ts';

/** The file of a group that holds what its kinds and versions share, beside their folders. */
export const sharedFile = 'shared.ts';
/** As the files of the kinds see it, which are one folder deeper. */
const sharedSpecifier = `../${sharedFile}`;

/**
 * The declarations that several files of a group would have, named for all of them. What they are made of is among them.
 *
 * @param files the kinds of a group, one for each version
 */
export function sharedDeclarations(files: readonly NamingRoot[]): ReadonlyMap<Declaration, NamedDeclaration> {
  const uses = new Map<Declaration, number>();
  for (const file of files)
    for (const declaration of inOrder([file])) uses.set(declaration, (uses.get(declaration) ?? 0) + 1);
  const names = createNames({ own: [], shared: files.map(({ kind }) => kind), imported: importedNames(files) });
  const named = nameDeclarations(files, names, (declaration) => (uses.get(declaration) ?? 0) > 1);
  const descriptions = itemDescriptions(files.flatMap(({ fields }) => fields));
  return new Map(
    [...named].map(([declaration, name]) => [
      declaration,
      { declaration, name, description: descriptions.get(declaration), from: sharedSpecifier },
    ]),
  );
}

/** The file of shared types; undefined if there are none. */
export function sharedModule(
  group: string,
  shared: ReadonlyMap<Declaration, NamedDeclaration>,
  exact: boolean,
): DeclarationModule | undefined {
  if (shared.size === 0) return undefined;
  const named = new Map([...shared].map(([declaration, { from: _here, ...own }]) => [declaration, own]));
  const context = contextOf(named);
  const declarations = [...named.values()].map((item) => printDeclared(context, item, exact));
  return { group, imports: context.imports.clauses(), declarations };
}

/**
 * Which types of a file stand in an existing file of shared types word for word, with all that they are made of: these are imported from it,
 * and the others are the file's own.
 *
 * @param text of the existing file; people may have edited it
 */
export function declaredAlready(
  text: string,
  reached: readonly Declaration[],
  named: ReadonlyMap<Declaration, NamedDeclaration>,
  exact: boolean,
): ReadonlyMap<Declaration, NamedDeclaration> {
  const here = new Map(
    reached.flatMap((declaration) => {
      const { from: _elsewhere, ...own } = named.get(declaration) ?? { declaration, name: '' };
      return [[declaration, own as NamedDeclaration] as const];
    }),
  );
  const blocks = `\n${text.replaceAll('\r\n', '\n')}\n`;
  const context = contextOf(here);
  const found = new Map<Declaration, boolean>();
  const isThere = (declaration: Declaration): boolean => {
    const known = found.get(declaration);
    if (known !== undefined) return known;
    const item = here.get(declaration);
    const answer =
      item !== undefined &&
      blocks.includes(`\n\n${printDeclared(context, item, exact)}\n\n`) &&
      declarationsIn(declaration.fields).every(isThere);
    found.set(declaration, answer);
    return answer;
  };
  return new Map(
    [...here].map(([declaration, item]) => [
      declaration,
      isThere(declaration) ? { ...item, from: sharedSpecifier } : item,
    ]),
  );
}

function contextOf(named: ReadonlyMap<Declaration, NamedDeclaration>): PrintContext {
  const names = createNames({ own: [...named.values()].map(({ name }) => name) });
  return { named, names, imports: createImports(names) };
}

function declarationsIn(fields: readonly Field[]): readonly Declaration[] {
  const innermost = (use: Use): Use => {
    const inner = inside(use.type);
    return inner === undefined ? use : innermost(inner);
  };
  return fields.flatMap(({ use }) => {
    const { type } = innermost(use);
    return type.kind === 'declared' ? [type.declaration] : [];
  });
}
