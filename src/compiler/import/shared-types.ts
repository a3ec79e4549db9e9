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

/** A file with types that several kinds or versions of a group share. */
export interface SharedModule extends DeclarationModule {
  readonly file: string;
}

/** A file of shared types from an earlier import. People may have edited it. */
export interface SharedText {
  readonly file: string;
  readonly text: string;
}

/**
 * Returns the name of a file for types that kinds and versions of a group share. The files `shared.ts`, `shared-2.ts` and so on are in the
 * folder of the group, beside the folders of its versions.
 */
function sharedFile(number: number): string {
  return number === 1 ? 'shared.ts' : `shared-${number}.ts`;
}

/**
 * Returns true if a file name in a group's folder has the form of a file of shared types. An import has not necessarily written this file.
 */
export function isSharedFile(name: string): boolean {
  return /^shared(-\d+)?\.ts$/i.test(name);
}

/** Returns names for new files of shared types in ascending order, without names that are already taken. */
function freeFiles(taken: readonly string[], count: number): readonly string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return Array.from({ length: taken.length + count }, (_, index) => sharedFile(index + 1)).filter(
    (name) => !used.has(name),
  );
}

/**
 * Returns the module specifier with which the files of the kinds import a file of shared types. The files of the kinds are one folder
 * deeper.
 */
export function specifierOf(file: string): string {
  return `../${file}`;
}

/**
 * Returns the declarations that are moved to shared files. These are declarations that several files of a group would contain, and those
 * that would make a file too long. They get names that are valid in all files.
 *
 * @param files kinds of a group, one entry for each version of a kind
 * @param lengthOf returns the number of lines of a declaration
 * @param taken names of files in the group's folder that must not be used for new files
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
  // Never share the spec and the status of a kind. Even if they equal those of other kinds now, they are the first types that change.
  const ofKinds = new Set(files.flatMap(({ fields }) => declarationsIn(fields)));
  const isOwn = (declaration: Declaration): boolean => ofKinds.has(declaration) && !parts.has(declaration);
  return new Set(
    [...uses].flatMap(([declaration, count]) => (count > 1 && !isOwn(declaration) ? [declaration] : [])),
  );
}

/** Returns the files of shared types. Each file imports types only from files before it. */
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

/** Creates the context in which the declarations of one file are printed. */
export function contextOf(named: ReadonlyMap<Declaration, NamedDeclaration>): PrintContext {
  const names = createNames({ own: [...named.values()].map(({ name }) => name) });
  return { named, names, imports: createImports(names) };
}

/** Maximum number of lines of declarations in one file. With the imports and the kind, the file then has less than a thousand lines. */
const MOST_LINES = 850;

type LengthOf = (declaration: Declaration) => number;

/**
 * Returns the declarations that must be moved from a file to other files, because the file would be too long. Types of Kubernetes are moved
 * first. Among other types, parts are moved before the types that contain them. If a declaration is moved, all declarations inside it are
 * moved too. The spec and the status of the kind are never moved, even if they are long.
 *
 * @param files one version of one kind
 * @param elsewhere declarations that other files already contain
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

/** Returns declarations that the kind's own fields use, but other declarations do not. They must stay in the file of the kind. */
function ofTheKind(files: readonly NamingRoot[]): ReadonlySet<Declaration> {
  const first = new Set(files.flatMap(({ fields }) => declarationsIn(fields)));
  const others = declarationsBelow(files).filter((declaration) => !first.has(declaration));
  const parts = new Set(declarationsBelow(others));
  return new Set([...first].filter((declaration) => !parts.has(declaration)));
}

/** Assigns each declaration the number of its file, starting at 1. No declaration uses a declaration of a file with a higher number. */
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

/** Sorts declarations so that each declaration comes after all declarations that it uses. */
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
