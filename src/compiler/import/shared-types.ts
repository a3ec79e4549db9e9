import type { Declaration, DeclarationModule } from './model.ts';
import {
  importedNames,
  declarationsBelow,
  declarationsIn,
  itemDescriptions,
  nameDeclarations,
  type NamedDeclaration,
  type NamingRoot,
} from './name-declarations.ts';
import { createNames } from './names.ts';
import { printDeclared } from './print-declarations.ts';
import { createImports, type PrintContext } from './print-types.ts';
import { chunked, fitting } from './split-files.ts';

/** A file of a group that holds types beside those of its kinds. */
export interface SharedModule extends DeclarationModule {
  readonly file: string;
}

/** A file of shared types that an earlier import has written, and that people may have edited. */
export interface SharedText {
  readonly file: string;
  readonly text: string;
}

/** The files of a group that hold what its kinds and versions share, beside their folders: `shared.ts`, `shared-2.ts` and so on. */
function sharedFile(number: number): string {
  return number === 1 ? 'shared.ts' : `shared-${number}.ts`;
}

/** True if a file of a group's folder has the name of one of shared types, be it from an import or not. */
export function isSharedFile(name: string): boolean {
  return /^shared(-\d+)?\.ts$/i.test(name);
}

/** The names of files of shared types, in their order, without those that others have. */
function freeFiles(taken: readonly string[], count: number): readonly string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return Array.from({ length: taken.length + count }, (_, index) => sharedFile(index + 1)).filter(
    (name) => !used.has(name),
  );
}

/** Specifier by which the files of the kinds, one folder deeper, import it. */
export function specifierOf(file: string): string {
  return `../${file}`;
}

/**
 * The declarations that several files of a group would have, and those for which a file has no room, named for all of them. What they are
 * made of is among them.
 *
 * @param files the kinds of a group, one for each version
 * @param lengthOf how many lines a declaration takes
 * @param taken names of files in the group's folder, which no new file may get
 */
export function sharedDeclarations(
  files: readonly NamingRoot[],
  lengthOf: (declaration: Declaration) => number,
  taken: readonly string[],
): ReadonlyMap<Declaration, NamedDeclaration> {
  const shared = usedBySeveral(files);
  for (const file of files)
    for (const declaration of fitting([file], shared, lengthOf)) shared.add(declaration);
  const names = createNames({
    own: [],
    shared: files.map(({ kind }) => kind),
    imported: importedNames(files),
  });
  const named = nameDeclarations(files, names, (declaration) => shared.has(declaration));
  const descriptions = itemDescriptions(files.flatMap(({ fields }) => fields));
  const chunks = chunked([...named.keys()], lengthOf);
  const free = freeFiles(taken, Math.max(0, ...chunks.values()));
  return new Map(
    [...named].map(([declaration, name]) => {
      const from = specifierOf(free[(chunks.get(declaration) ?? 1) - 1] ?? '');
      return [declaration, { declaration, name, description: descriptions.get(declaration), from }];
    }),
  );
}

function usedBySeveral(files: readonly NamingRoot[]): Set<Declaration> {
  const uses = new Map<Declaration, number>();
  const parts = new Set<Declaration>();
  for (const file of files)
    for (const declaration of declarationsBelow([file])) {
      uses.set(declaration, (uses.get(declaration) ?? 0) + 1);
      for (const part of declarationsIn(declaration.fields)) parts.add(part);
    }
  // The spec and the status of a kind are its own, though others are like them today: they are the first to change.
  const ofKinds = new Set(files.flatMap(({ fields }) => declarationsIn(fields)));
  const isOwn = (declaration: Declaration): boolean => ofKinds.has(declaration) && !parts.has(declaration);
  return new Set(
    [...uses].flatMap(([declaration, count]) => (count > 1 && !isOwn(declaration) ? [declaration] : [])),
  );
}

/** The files of shared types, each of which takes types from those before it only. */
export function sharedModules(
  group: string,
  shared: ReadonlyMap<Declaration, NamedDeclaration>,
  exact: boolean,
): readonly SharedModule[] {
  const specifiers = [...new Set([...shared.values()].map(({ from = '' }) => from))].sort();
  return specifiers.map((specifier) => {
    const named = new Map(
      [...shared.values()].map(({ from = '', ...item }): [Declaration, NamedDeclaration] => [
        item.declaration,
        from === specifier ? item : { ...item, from: from.replace('../', './') },
      ]),
    );
    const context = contextOf(named);
    const own = [...named.values()].filter(({ from }) => from === undefined);
    const declarations = own.map((item) => printDeclared(context, item, exact));
    return {
      group,
      file: specifier.replace('../', ''),
      imports: context.imports.clauses(),
      declarations,
    };
  });
}

/** Context in which the declarations of one file are printed. */
export function contextOf(named: ReadonlyMap<Declaration, NamedDeclaration>): PrintContext {
  const names = createNames({ own: [...named.values()].map(({ name }) => name) });
  return { named, names, imports: createImports(names) };
}
