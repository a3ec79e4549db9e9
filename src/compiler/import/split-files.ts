import type { Declaration } from './model.ts';
import { declarationsBelow, declarationsIn, type NamingRoot } from './name-declarations.ts';

/** Lines of declarations in one file: with its imports and the kind itself it stays below a thousand. */
const MOST_LINES = 850;

type LengthOf = (declaration: Declaration) => number;

/**
 * Declarations that a file must leave to other files, so that it does not become too long: first the types of Kubernetes, then others,
 * those first of which others are made. Their own parts are among them. The spec and the status of the kind stay, however long they are.
 *
 * @param files one kind and version
 * @param elsewhere what the file does not declare anyway
 */
export function fitting(
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
export function chunked(
  declarations: readonly Declaration[],
  lengthOf: LengthOf,
): ReadonlyMap<Declaration, number> {
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
