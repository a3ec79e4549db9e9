import { posix } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';

/** The lines of one `.indexignore`. */
export interface IgnoreRules {
  /** The folder of the file, relative to the root of the catalogue; `''` for the root itself. */
  readonly folder: string;
  readonly rules: readonly Rule[];
}

interface Rule {
  /** The names of the pattern; `**` stands for any number of them. */
  readonly names: readonly string[];
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

const most = { rules: 1000, characters: 256, names: 16 };

/**
 * Reads an `.indexignore`, which has the form of `.gitignore`.
 * @param file as findings name it
 * @throws OpSdkError `io/too-large`
 * @see https://git-scm.com/docs/gitignore
 */
export function ignoreRules(text: string, folder: string, file: string): IgnoreRules {
  const lines = text.split(/\r?\n/);
  const rules = lines.flatMap((line, index): readonly Rule[] => {
    const pattern = line.startsWith('#') ? '' : line.replace(/(?<!\\)\s+$/, '');
    if (pattern === '') return [];
    const rule = ruleOf(pattern);
    if (pattern.length > most.characters || rule.names.length > most.names || index > most.rules)
      throw new OpSdkError({
        code: 'io/too-large',
        message: `${file} has more than ${most.rules} lines, or a pattern of more than ${most.characters} characters or ${most.names} names`,
        where: { file, line: index + 1, column: 1 },
        fix: ['shorten it'],
      });
    return [rule];
  });
  return { folder, rules };
}

function ruleOf(line: string): Rule {
  const isNegated = line.startsWith('!');
  const pattern = line.slice(isNegated ? 1 : 0);
  const isForFolders = pattern.endsWith('/');
  const path = pattern.replace(/^\//, '').replace(/\/$/, '');
  // A pattern without a slash, but for one at its end, is about names in all folders below.
  const isAnchored = pattern.replace(/\/$/, '').includes('/');
  return { names: [...(isAnchored ? [] : ['**']), ...path.split('/')], isNegated, isForFolders };
}

/** Returns true if the last rule about a file, or about a folder above it, ignores it. The rules nearest to it come last. */
export function isIgnored(path: string, all: readonly IgnoreRules[]): boolean {
  let ignored = false;
  for (const { folder, rules } of all) {
    const names = posix.relative(folder, path).split('/');
    for (const rule of rules) if (isAbout(rule, names)) ignored = !rule.isNegated;
  }
  return ignored;
}

function isAbout({ names: pattern, isForFolders }: Rule, names: readonly string[]): boolean {
  const depth = names.length - (isForFolders ? 1 : 0);
  for (let end = 1; end <= depth; end++)
    if (matchParts(pattern, names.slice(0, end), '**', matchName)) return true;
  return false;
}

/** One name: `*`, `?`, classes of characters such as `[a-c]`, and `\` before a character that stands for itself. */
function matchName(pattern: string, name: string): boolean {
  return matchParts(pattern.match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? [], [...name], '*', matchLetter);
}

/** Returns true if a whole pattern matches parts. Only the last star takes back what it has taken: in time of the product of both lengths. */
function matchParts(
  pattern: readonly string[],
  parts: readonly string[],
  star: string,
  matchOne: (pattern: string, part: string) => boolean,
): boolean {
  let [at, next] = [0, 0];
  let last: { readonly at: number; next: number } | undefined;
  while (next < parts.length) {
    const current = pattern[at];
    if (current === star) last = { at: at++, next };
    else if (current !== undefined && matchOne(current, parts[next] ?? '')) [at, next] = [at + 1, next + 1];
    else if (last === undefined) return false;
    else [at, next] = [last.at + 1, ++last.next];
  }
  return pattern.slice(at).every((rest) => rest === star);
}

function matchLetter(part: string, letter: string): boolean {
  if (part === '?') return true;
  if (part.startsWith('\\')) return part.slice(1) === letter;
  const [, not = '', inside] = /^\[([!^]?)(.+)\]$/s.exec(part) ?? [];
  if (inside === undefined) return part === letter;
  const ranges = inside.match(/.-.|./gsu) ?? [];
  const isIn = ranges.some((range) => {
    const [low = '', , high = low] = [...range];
    return low <= letter && letter <= high;
  });
  return isIn === (not === '');
}
