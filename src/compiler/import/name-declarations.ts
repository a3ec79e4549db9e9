import type { Declaration, Field, TypeExpression, Use } from './model.ts';
import { pascal, singular, type NameRegistry } from './names.ts';

/** Words that occur too often in APIs to be the name of a type without another word. */
const vague: ReadonlySet<string> = new Set(
  'Spec Status Item Value Entry Data Config Template Metadata Options Settings Info Field Type'.split(' '),
);

/** Returns true if a word is too vague to name a type without the preceding word. */
function isVague(word: string): boolean {
  return vague.has(word);
}

/** A declaration with its name, and the file that declares it. */
export interface NamedDeclaration {
  readonly declaration: Declaration;
  readonly name: string;
  /** Description to print above the interface. */
  readonly description?: string | undefined;
  /** Module specifier of the file that declares the type, if another file does. */
  readonly from?: string;
}

/** Interface of a kind. The paths from which declarations are named start there. */
export interface NamingRoot {
  readonly kind: string;
  readonly fields: readonly Field[];
}

/** A declaration and the words that can name it. The words are the field names on the shortest path from the kind to the declaration. */
interface Place {
  readonly declaration: Declaration;
  readonly words: readonly string[];
}

/**
 * Names the declarations that kinds use directly or indirectly. The name of a declaration is the last word of its path. If names collide,
 * the preceding words of the paths are prepended until the names differ. For fields of the kind itself, and for vague words, the preceding
 * word is always prepended. A number is appended only if the entire paths are equal.
 *
 * @param isNamed returns true for declarations that get a name. Default: all declarations get one
 * @returns declarations in the order of the schema: each before those that only it uses
 */
export function nameDeclarations(
  roots: readonly NamingRoot[],
  names: NameRegistry,
  isNamed: (declaration: Declaration) => boolean = () => true,
): ReadonlyMap<Declaration, string> {
  const words = waysTo(roots);
  const places = declarationsBelow(roots)
    .filter(isNamed)
    .map((declaration): Place => ({ declaration, words: words.get(declaration) ?? [] }));
  const used = wordsNeeded(places, names);
  return new Map(
    places.map((place, index) => [place.declaration, names.take(nameOf(place, used[index] ?? 1))]),
  );
}

/** Returns the declarations that the fields use directly or indirectly, in the order of the schema. */
export function declarationsBelow(
  roots: readonly { readonly fields: readonly Field[] }[],
): readonly Declaration[] {
  const found = new Set<Declaration>();
  const visit = (fields: readonly Field[]): void => {
    for (const field of fields) {
      const reached = declarationIn(field.use, field.name)?.declaration;
      if (reached === undefined || found.has(reached)) continue;
      found.add(reached);
      visit(reached.fields);
    }
  };
  for (const { fields } of roots) visit(fields);
  return [...found];
}

/** Returns the declarations that the fields use directly, or as items and values of nested lists and records. */
export function declarationsIn(fields: readonly Field[]): readonly Declaration[] {
  return fields.flatMap(({ use, name }) => declarationIn(use, name)?.declaration ?? []);
}

/** Returns the names of the types from packages that the fields, and all declarations below them, use. */
export function importedNames(roots: readonly { readonly fields: readonly Field[] }[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = ({ type }: Use): void => {
    const inner = inside(type);
    if (inner !== undefined) visit(inner);
    if (type.kind === 'name' && type.from !== undefined) found.add(type.name);
  };
  for (const { fields } of [...roots, ...declarationsBelow(roots)]) for (const { use } of fields) visit(use);
  return found;
}

function waysTo(roots: readonly NamingRoot[]): ReadonlyMap<Declaration, readonly string[]> {
  const ways = new Map<Declaration, readonly string[]>();
  const queue = roots.map(({ kind, fields }) => ({ fields, way: [kind] }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const field of next.fields) {
      const found = declarationIn(field.use, field.name);
      if (found === undefined || ways.has(found.declaration)) continue;
      const { declaration, segment } = found;
      const way = [...next.way, declaration.knownAs ?? (pascal(segment) || 'Field')];
      ways.set(declaration, way);
      queue.push({ fields: declaration.fields, way });
    }
  }
  return ways;
}

/** Returns for each place how many of its last words make up the name, so that all names differ. */
function wordsNeeded(places: readonly Place[], names: NameRegistry): readonly number[] {
  const needed: number[] = places.map(({ words, declaration }) => {
    const isOfKind = words.length === 2 && declaration.knownAs === undefined;
    return isOfKind || isVague(words.at(-1) ?? '') ? 2 : 1;
  });
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const [name, indexes] of byName(places, needed)) {
      if (indexes.length === 1 && names.isFree(name)) continue;
      for (const index of indexes) {
        const count = needed[index] ?? 1;
        if (count >= (places[index]?.words.length ?? 0)) continue;
        needed[index] = count + 1;
        isSettled = false;
      }
    }
  }
  return needed;
}

function byName(places: readonly Place[], needed: readonly number[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, place] of places.entries()) {
    const name = nameOf(place, needed[index] ?? 1);
    const same = found.get(name);
    if (same === undefined) found.set(name, [index]);
    else same.push(index);
  }
  return found;
}

function nameOf({ words }: Place, count: number): string {
  return words.slice(-count).join('');
}

/**
 * Returns the declaration that a field's type uses directly, or as items and values of nested lists and records, and a word that can name
 * the declaration.
 */
function declarationIn(
  use: Use,
  segment: string,
): { readonly declaration: Declaration; readonly segment: string } | undefined {
  const { type } = use;
  if (type.kind === 'declared') return { declaration: type.declaration, segment };
  const inner = inside(type);
  if (inner === undefined) return undefined;
  const one = singular(segment) ?? `${pascal(segment)}${type.kind === 'list' ? 'Item' : 'Value'}`;
  return declarationIn(inner, one);
}

/** Returns the type of a list's items or of a record's values; undefined for other types. */
export function inside(type: TypeExpression): Use | undefined {
  if (type.kind === 'list') return type.items;
  return type.kind === 'record' ? type.values : undefined;
}

/**
 * Returns descriptions of list items and record values that can be written above the interface of these items or values. If at least one
 * use of an interface does not have a description, the interface does not get one either, because this use would inherit it.
 */
export function itemDescriptions(fields: readonly Field[]): ReadonlyMap<Declaration, string> {
  const found = new Map<Declaration, string>();
  const silent = new Set<Declaration>();
  const seen = new Set<Declaration>();
  const visit = (use: Use, isField: boolean): void => {
    const { type, description } = use;
    const inner = inside(type);
    if (inner !== undefined) visit(inner, false);
    if (type.kind !== 'declared') return;
    const { declaration } = type;
    if (description === undefined) silent.add(declaration);
    else if (!isField && !found.has(declaration)) found.set(declaration, description);
    if (seen.has(declaration)) return;
    seen.add(declaration);
    for (const field of declaration.fields) visit(field.use, true);
  };
  for (const field of fields) visit(field.use, true);
  for (const declaration of silent) found.delete(declaration);
  return found;
}
