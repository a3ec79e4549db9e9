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

/** Limit of a file's lines of declarations, so that it stays below a thousand lines with its imports and the kind. */
const MOST_LINES = 850;

type LengthOf = (declaration: Declaration) => number;

/**
 * Declarations that a file must leave to other files, so that it does not become too long: first the types of Kubernetes, then others,
 * those first of which others are made. Their own parts are among them. The spec and the status of the kind stay, however long they are.
 *
 * @param files one kind and version
 * @param elsewhere what the file does not declare anyway
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

/** Declarations that only the fields of the kind itself are made of, and nothing that may go elsewhere. */
function ofTheKind(files: readonly NamingRoot[]): ReadonlySet<Declaration> {
  const first = new Set(files.flatMap(({ fields }) => declarationsIn(fields)));
  const others = declarationsBelow(files).filter((declaration) => !first.has(declaration));
  const parts = new Set(declarationsBelow(others));
  return new Set([...first].filter((declaration) => !parts.has(declaration)));
}

/** The number of the file, from 1, in which each declaration is: none needs a later one. */
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

/** Each declaration behind all that it is made of. */
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
