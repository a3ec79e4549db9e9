import { kindsInTables } from '../../kubernetes/tables/index.ts';
import { takenNames } from './taken-names.ts';

/** Words that are no name of a type or of a constant. Source: the TypeScript compiler. */
const keywords: ReadonlySet<string> = new Set(
  [
    'any unknown never number bigint boolean string symbol void object undefined null true false this',
    'break case catch class const continue debugger default delete do else enum export extends finally for function if import in',
    'instanceof new return super switch throw try typeof var while with implements interface let package private protected public',
    'static yield await async of type eval arguments',
  ].flatMap((line) => line.split(' ')),
);

/** Words that every API has many of: alone they name nothing. */
const vague: ReadonlySet<string> = new Set(
  'Spec Status Item Value Entry Data Config Template Metadata Options Settings Info Field Type'.split(' '),
);

/** True if a word needs the one before it to name a type. */
export function isVague(word: string): boolean {
  return vague.has(word);
}

/** `spec.matchLabels` → `SpecMatchLabels`; letters and digits only, so it may begin with a digit. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The singular of a field's name where English forms it simply; undefined where it does not. */
export function singular(name: string): string | undefined {
  const word = /[A-Za-z]*$/.exec(name)?.[0].toLowerCase() ?? '';
  if (word.length < 4 || /(?:ss|us|is|os|as)$/.test(word) || !word.endsWith('s')) return undefined;
  if (word.endsWith('ies') && word.length > 4) return `${name.slice(0, -3)}y`;
  return /(?:sses|tuses|shes|ches|xes|zes)$/.test(word) ? name.slice(0, -2) : name.slice(0, -1);
}

/** The name of a kind's interface and token: the kind itself, where it is a name in TypeScript. */
export function kindIdentifier(kind: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(kind) && !keywords.has(kind)) return kind;
  const name = pascal(kind);
  return /^[A-Za-z]/.test(name) ? name : `Kind${name}`;
}

/** Alias of an import whose name the file needs for its own kind. */
export function aliasOf(name: string): string {
  return `Opsdk${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Gives out the names of one file: unique, in the order of asking, the same for the same questions. */
export interface NameRegistry {
  /** The name itself if it is free, else with the first number that makes it so. */
  take(name: string): string;
  /** True if the file uses the name for one of its types, or of those that it imports from other files of types. */
  has(name: string): boolean;
  /** True if a declaration may have the name, which nothing else has. */
  isFree(name: string): boolean;
}

export interface NamesInUse {
  /** Names that the file declares whatever happens: its kind. */
  readonly own: readonly string[];
  /** Names that it imports from other files of types. */
  readonly shared?: readonly string[];
  /** Names of types that it imports from packages. */
  readonly imported?: Iterable<string>;
}

export function createNames({ own, shared = [], imported = [] }: NamesInUse): NameRegistry {
  const used = new Set(own);
  const aliases = new Set([...own, ...shared].map(aliasOf));
  const elsewhere = new Set(shared);
  const ofPackages = new Set(imported);
  const isFree = (name: string): boolean =>
    /^[A-Za-z_$]/.test(name) &&
    ![used, elsewhere, ofPackages, aliases].some((names) => names.has(name)) &&
    !isTaken(name);
  return {
    take(name) {
      let free = name;
      for (let number = 2; !isFree(free); number++) free = `${name}${number}`;
      used.add(free);
      return free;
    },
    has: (name) => used.has(name) || elsewhere.has(name),
    isFree,
  };
}

let kinds: ReadonlySet<string> | undefined;

/** Controllers import built-in kinds, such as Secret, beside the types of their own kind. */
function isTaken(name: string): boolean {
  kinds ??= new Set(kindsInTables().map(({ kind }) => kind));
  return takenNames.has(name) || kinds.has(name);
}
