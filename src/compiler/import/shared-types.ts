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
import { createImports, type PrintContext, printDeclared } from './print-types.ts';

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

/** True if a file of a group's folder has a name of a file of shared types, whether or not an import wrote it. */
export function isSharedFile(name: string): boolean {
  return /^shared(-\d+)?\.ts$/i.test(name);
}

/** Returns free names for files of shared types, in their order, skipping those that are taken. */
function freeFiles(taken: readonly string[], count: number): readonly string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return Array.from({ length: taken.length + count }, (_, index) => sharedFile(index + 1)).filter(
    (name) => !used.has(name),
  );
}

/** Returns the specifier by which the files of the kinds, one folder deeper, import a file of shared types. */
export function specifierOf(file: string): string {
  return `../${file}`;
}

/**
 * Returns the declarations that several files of a group would contain, and those that would make a file too long, with names valid in all
 * files. The result includes all their parts.
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
  // The spec and the status of a kind are never shared, even if they equal others today: they are the first to change.
  const ofKinds = new Set(files.flatMap(({ fields }) => declarationsIn(fields)));
  const isOwn = (declaration: Declaration): boolean => ofKinds.has(declaration) && !parts.has(declaration);
  return new Set(
    [...uses].flatMap(([declaration, count]) => (count > 1 && !isOwn(declaration) ? [declaration] : [])),
  );
}

/** Returns the files of shared types; each imports types only from earlier ones. */
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

/** Limit of a file's lines of declarations, so that it stays below a thousand lines with its imports and the kind. */
const MOST_LINES = 850;

type LengthOf = (declaration: Declaration) => number;

/**
 * Returns the declarations that a file must leave to other files, so that it does not become too long: first the types of Kubernetes, then
 * others, parts before the types made of them. The result includes their own parts. The spec and the status of the kind stay, however long
 * they are.
 *
 * @param files one kind and version
 * @param elsewhere declarations that the file does not contain anyway
 */
function fitting(
  files: readonly NamingRoot[],
  elsewhere: ReadonlySet<Declaration>,
  lengthOf: LengthOf,
): ReadonlySet<Declaration> {
  const kept = ofTheKind(files);
  const own = partsFirst(declarationsBelow(files)).filter((declaration) => !elsewhere.has(declaration));
  let left = sum(own, lengthOf);
  const moved = new Set<Declaration>();
  const move = (declarations: readonly Declaration[]): void => {
    for (const declaration of declarations) {
      if (left <= MOST_LINES || moved.has(declaration) || kept.has(declaration)) continue;
      moved.add(declaration);
      left -= lengthOf(declaration);
    }
  };
  for (const declaration of own) {
    if (declaration.knownAs === undefined) continue;
    const whole = [...declarationsBelow([declaration]), declaration];
    move(partsFirst(whole).filter((part) => !elsewhere.has(part)));
  }
  move(own);
  return moved;
}

/** Returns declarations that only the fields of the kind itself use, not declarations that may move to other files. */
function ofTheKind(files: readonly NamingRoot[]): ReadonlySet<Declaration> {
  const first = new Set(files.flatMap(({ fields }) => declarationsIn(fields)));
  const others = declarationsBelow(files).filter((declaration) => !first.has(declaration));
  const parts = new Set(declarationsBelow(others));
  return new Set([...first].filter((declaration) => !parts.has(declaration)));
}

/** Assigns each declaration the number of its file, from 1, so that none needs a later file. */
function chunked(declarations: readonly Declaration[], lengthOf: LengthOf): ReadonlyMap<Declaration, number> {
  const chunks = new Map<Declaration, number>();
  let [number, length] = [1, 0];
  for (const declaration of partsFirst(declarations)) {
    if (length > 0 && length + lengthOf(declaration) > MOST_LINES) [number, length] = [number + 1, 0];
    chunks.set(declaration, number);
    length += lengthOf(declaration);
  }
  return chunks;
}

/** Sorts declarations so that each follows all its parts. */
function partsFirst(declarations: readonly Declaration[]): readonly Declaration[] {
  const wanted = new Set(declarations);
  const sorted = new Set<Declaration>();
  const add = (declaration: Declaration): void => {
    if (sorted.has(declaration)) return;
    for (const part of declarationsBelow([declaration]))
      if (part !== declaration && !sorted.has(part)) add(part);
    if (wanted.has(declaration)) sorted.add(declaration);
  };
  for (const declaration of declarations) add(declaration);
  return [...sorted];
}

function sum(declarations: readonly Declaration[], lengthOf: LengthOf): number {
  return declarations.reduce((total, declaration) => total + lengthOf(declaration), 0);
}
