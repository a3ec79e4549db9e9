import { extname } from 'node:path';
import { jsonMapOf } from '../../base/util/json-map.ts';
import { parseYamlDocuments } from '../../kubernetes/yaml/index.ts';
import { isSameText } from '../scaffold/index.ts';
import type { ProjectEntry, TextEntry } from './project-entry.ts';

/** Minimum share of equal lines of a renamed file. The default of Git is half of the content. */
const leastSimilarity = 0.6;

/** A file that a new version scaffolds under another name. */
export interface RenamedFile {
  readonly from: string;
  readonly to: string;
  /** The file in the project; undefined if the user has deleted it. */
  readonly entry: TextEntry | undefined;
  /** True if both paths name the same file, because the file system ignores case. */
  readonly isOneFile: boolean;
}

type Pair = Pick<RenamedFile, 'from' | 'to'>;

/**
 * Returns the files that the new version scaffolds under another name. Omits a file if its new path is taken, if its edits cannot be
 * distinguished from the scaffold, or if it is a link, because the target of a link is not scaffolded.
 * @param entries entries of the project at all scaffolded paths
 */
export function renamedFiles(
  {
    base,
    next,
    isKnown,
  }: {
    readonly base: ReadonlyMap<string, string>;
    readonly next: ReadonlyMap<string, string>;
    readonly isKnown: (path: string, base: string) => boolean;
  },
  entries: ReadonlyMap<string, ProjectEntry>,
): readonly RenamedFile[] {
  const removed = new Map<string, string>();
  const present = new Map<string, TextEntry>();
  for (const [path, text] of base) {
    const entry = entries.get(path);
    if (next.has(path) || entry === undefined || entry.kind === 'obstacle') continue;
    const isOurs = entry.kind === 'text' && isSameText(entry.text, text);
    if (!isOurs && !isKnown(path, text)) continue;
    if (entry.kind === 'text' && entry.isLinked) continue;
    removed.set(path, text);
    if (entry.kind === 'text') present.set(path, entry);
  }
  const isOneFile = ({ from, to }: Pair): boolean => {
    const entry = entries.get(to);
    return entry?.kind === 'text' && entry.id === present.get(from)?.id;
  };
  const added = new Map([...next].filter(([path]) => !base.has(path)));
  const inCase = pairsInCase(removed, added).filter(
    (pair) => entries.get(pair.to)?.kind === 'absent' || isOneFile(pair),
  );
  for (const { from } of inCase) removed.delete(from);
  for (const path of [...added.keys()])
    if (entries.get(path)?.kind !== 'absent' || inCase.some(({ to }) => to === path)) added.delete(path);
  return [...inCase, ...similarPairs(removed, added)].map((pair) => ({
    ...pair,
    entry: present.get(pair.from),
    isOneFile: isOneFile(pair),
  }));
}

/** Pairs paths that differ only in case. On file systems that ignore case they name one file, even if the contents differ. */
function pairsInCase(
  removed: ReadonlyMap<string, string>,
  added: ReadonlyMap<string, string>,
): readonly Pair[] {
  const names = new Map([...added.keys()].map((path) => [path.toLowerCase(), path]));
  return [...removed.keys()].flatMap((from) => {
    const to = names.get(from.toLowerCase());
    names.delete(from.toLowerCase());
    return to === undefined ? [] : [{ from, to }];
  });
}

/**
 * Pairs files with similar texts. The most similar files are paired first; each file is part of at most one pair. Manifests are paired only
 * if their objects have the same kinds and names.
 */
function similarPairs(
  removed: ReadonlyMap<string, string>,
  added: ReadonlyMap<string, string>,
): readonly Pair[] {
  const candidates = [...added].map(([path, text]) => candidate(path, text));
  const pairs = [...removed].flatMap(([path, text]) => {
    const { objects, lines } = candidate(path, text);
    return candidates
      .filter((other) => other.objects === objects)
      .map((other) => ({ from: path, to: other.path, similarity: similarity(lines, other.lines) }));
  });
  const taken = new Set<string>();
  return pairs
    .filter((pair) => pair.similarity >= leastSimilarity)
    .sort((a, b) => b.similarity - a.similarity || order(a.from, b.from) || order(a.to, b.to))
    .flatMap(({ from, to }) => {
      if (taken.has(`-${from}`) || taken.has(`+${to}`)) return [];
      taken.add(`-${from}`).add(`+${to}`);
      return [{ from, to }];
    });
}

interface Candidate {
  readonly path: string;
  /** Kinds and names of the objects of a manifest, as one text; empty for other files. */
  readonly objects: string;
  /** Lines of the file, each with the number of its occurrences. */
  readonly lines: ReadonlyMap<string, number>;
}

function candidate(path: string, text: string): Candidate {
  return { path, objects: objectsIn(path, text), lines: lineCounts(path, text) };
}

function objectsIn(path: string, text: string): string {
  if (!/\.ya?ml$/.test(path)) return '';
  try {
    const objects = parseYamlDocuments(text, path, () => false).flatMap(({ value }) => {
      const { kind, metadata } = jsonMapOf(value);
      return typeof kind === 'string' ? [[kind, jsonMapOf(metadata)['name'] ?? null]] : [];
    });
    return objects.length === 0 ? '' : JSON.stringify(objects);
  } catch {
    // YAML that contains another language, such as a chart template, is not a manifest.
    return '';
  }
}

/** Patterns of comment lines by file extension. In other files, lines are never regarded as comments. */
const comments: Readonly<Record<string, RegExp>> = {
  '.ts': /^(?:\/\/|\/\*|\*)/,
  '.js': /^(?:\/\/|\/\*|\*)/,
  '.mjs': /^(?:\/\/|\/\*|\*)/,
  '.yaml': /^#/,
  '.yml': /^#/,
  '.sh': /^#/,
  // Dockerfile, Makefile, .gitignore
  '': /^#/,
};

/**
 * Counts the significant lines of a file. Blank lines and comments are left out, because unrelated files share licence headers, markers and
 * explanations.
 */
function lineCounts(path: string, text: string): ReadonlyMap<string, number> {
  const comment = comments[extname(path)];
  const counts = new Map<string, number>();
  for (const line of text.split(/\r?\n/)) {
    const content = line.trim();
    if (content !== '' && comment?.test(content) !== true) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

/** Returns the share of common lines in the longer file: from 0 to 1. */
function similarity(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  for (const [line, count] of a) common += Math.min(count, b.get(line) ?? 0);
  const longer = Math.max(size(a), size(b));
  return longer === 0 ? 0 : common / longer;
}

function size(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
