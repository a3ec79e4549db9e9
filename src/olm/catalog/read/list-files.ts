import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { Place } from '../../../images/index.ts';
import { errnoText, statsAt } from '../../../base/util/fs.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { leadsInside, isLeftover } from '../../../base/util/folders.ts';
import { readRegularYamlFile } from '../../../kubernetes/yaml/index.ts';
import type { CatalogFindings } from '../findings.ts';
import { catalogLimits } from '../types.ts';

export interface CatalogFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** Path as shown in findings. */
  readonly file: string;
  readonly size: number;
}

/** Name of the file that lists the files to ignore. Source: operator-registry `alpha/declcfg/load.go`. */
const ignoreFile = '.indexignore';

/** Maximum depth of nested folders in a catalogue; one or two levels are usual. */
const mostLevels = 32;

/**
 * Lists the files of a catalogue that opm reads: all files of a folder and its subfolders, regardless of their names, except files listed
 * in `.indexignore`. Temporary files that a killed op-sdk command left behind are omitted, too. If `place` is a file, the list contains
 * only this file.
 * @throws OpSdkError `io/not-found`, `io/cannot-read`, `io/too-large`
 */
export async function listCatalogFiles(
  place: Place,
  findings: CatalogFindings,
): Promise<readonly CatalogFile[]> {
  const entry = await statsAt(place.path);
  if (entry === undefined)
    throw new OpSdkError({
      code: 'io/not-found',
      message: `${place.shown} does not exist`,
      where: { file: place.shown },
      fix: ['name the folder or the file of a catalogue'],
    });
  const files: CatalogFile[] = [];
  if (!entry.isDirectory()) files.push({ path: place.path, file: place.shown, size: entry.size });
  else await walk(place, '', [], { root: place, files, findings });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > catalogLimits.bytes)
    throw tooLarge(place, `its files have ${size} bytes; up to ${catalogLimits.bytes} are read`);
  return files;
}

interface Walk {
  readonly root: Place;
  readonly files: CatalogFile[];
  readonly findings: CatalogFindings;
}

async function walk(folder: Place, below: string, rules: readonly IgnoreRules[], all: Walk): Promise<void> {
  if (below.split('/').length > mostLevels)
    throw tooLarge(all.root, `its folders are nested more than ${mostLevels} deep`);
  const entries = await readdir(folder.path, { withFileTypes: true }).catch((error: unknown) => {
    const message = `cannot read ${folder.shown}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file: folder.shown } });
  });
  const own = entries.some(({ name }) => name === ignoreFile) ? [await readRules(folder, below)] : [];
  const active = [...rules, ...own];
  for (const entry of entries.sort((a, b) => compareCodeUnits(a.name, b.name))) {
    if (isLeftover(entry.name)) continue;
    const place = { path: join(folder.path, entry.name), shown: `${folder.shown}/${entry.name}` };
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) await walk(place, path, active, all);
    else if (entry.name !== ignoreFile && !isIgnored(path, active)) await addFile(place, all);
  }
}

async function addFile({ path, shown }: Place, { root, files, findings }: Walk): Promise<void> {
  const entry = await statsAt(path);
  const isOwn = entry?.isFile() === true && (await leadsInside(root.path, path));
  if (!isOwn) {
    findings.addAll([
      {
        code: 'catalog/unexpected-file',
        message: `${shown} is not a regular file, or is a link to a place outside of the catalogue`,
        where: { file: shown },
        fix: ['remove it, or replace it by a regular file', `or list it in ${root.shown}/${ignoreFile}`],
      },
    ]);
    return;
  }
  files.push({ path, file: shown, size: entry.size });
  if (files.length > catalogLimits.files)
    throw tooLarge(root, `it has more than ${catalogLimits.files} files`);
}

async function readRules(folder: Place, below: string): Promise<IgnoreRules> {
  const file = `${folder.shown}/${ignoreFile}`;
  return ignoreRules(await readRegularYamlFile(join(folder.path, ignoreFile), file), below, file);
}

function tooLarge({ shown }: Place, why: string): OpSdkError {
  return new OpSdkError({
    code: 'io/too-large',
    message: `${shown} is too large for a catalogue: ${why}`,
    where: { file: shown },
    fix: ['name the folder of one catalogue', 'split the catalogue by its packages'],
  });
}

/** The rules of one `.indexignore` file. */
interface IgnoreRules {
  /** Folder that contains the `.indexignore` file, relative to the root of the catalogue; `''` for the root itself. */
  readonly folder: string;
  readonly rules: readonly Rule[];
}

interface Rule {
  /** Path segments of the pattern; the segment `**` matches any number of path segments. */
  readonly names: readonly string[];
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

const most = { rules: 1000, characters: 256, names: 16 };

/**
 * Reads an `.indexignore` file, which has the format of `.gitignore`.
 * @param file path as it appears in findings
 * @throws OpSdkError `io/too-large`
 * @see https://git-scm.com/docs/gitignore
 */
function ignoreRules(text: string, folder: string, file: string): IgnoreRules {
  const lines = text.split(/\r?\n/);
  const rules = lines.flatMap((line, index): readonly Rule[] => {
    const pattern = line.startsWith('#') ? '' : line.replace(/(?<!\\)\s+$/, '');
    if (pattern === '') return [];
    const rule = ruleOf(pattern);
    if (pattern.length > most.characters || rule.names.length > most.names || index > most.rules)
      throw new OpSdkError({
        code: 'io/too-large',
        message: `${file} exceeds a limit: ${most.rules} lines; ${most.characters} characters and ${most.names} path segments in a pattern`,
        where: { file, line: index + 1, column: 1 },
        fix: ['shorten the file, or the pattern'],
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
  // A pattern without a slash before its end matches names in all subfolders. Any other pattern matches only paths from the folder of the
  // `.indexignore` file.
  const isAnchored = pattern.replace(/\/$/, '').includes('/');
  return { names: [...(isAnchored ? [] : ['**']), ...path.split('/')], isNegated, isForFolders };
}

/**
 * Returns true if a file is ignored. The last rule that matches the file or one of its parent folders decides. `all` is ordered by folder
 * depth, so that the rules of the nearest folder come last.
 */
function isIgnored(path: string, all: readonly IgnoreRules[]): boolean {
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

/** Matches a pattern against one path segment. Patterns may contain `*`, `?`, character classes such as `[a-c]`, and `\` as escape. */
function matchName(pattern: string, name: string): boolean {
  return matchParts(pattern.match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? [], [...name], '*', matchLetter);
}

/**
 * Returns true if the entire pattern matches all of `parts`. Backtracks only to the last star of the pattern, so that the running time is
 * at most proportional to the product of the lengths of `pattern` and `parts`.
 */
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
