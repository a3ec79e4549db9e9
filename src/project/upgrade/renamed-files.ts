import { extname } from 'node:path';
import { jsonMapOf } from '../../base/util/json-map.ts';
import { parseYamlDocuments } from '../../kubernetes/yaml/index.ts';
import { isSameText } from '../scaffold/index.ts';
import type { ProjectEntry, TextEntry } from './project-entry.ts';

/** Share of equal lines from which on two files count as one file with two names. Git asks for half of the content by default. */
const leastSimilarity = 0.6;

/** A file that a new version scaffolds under another name. */
export interface RenamedFile {
  readonly from: string;
  readonly to: string;
  /** The file as the project has it; undefined if somebody has deleted it. */
  readonly entry: TextEntry | undefined;
  /** True if both names lead to the same file, because the disk does not distinguish upper and lower case. */
  readonly isOneFile: boolean;
}

type Pair = Pick<RenamedFile, 'from' | 'to'>;

/**
 * Returns the files that the new version scaffolds under another name, as the project has them. A file stays out of it if its new path is
 * taken, if edits of it cannot be distinguished from scaffolds, or if it is a link: what that leads to is not scaffolded.
 * @param entries all scaffolded paths, as the project has them
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

/** Pairs paths that differ only in upper and lower case. They are one file on many disks, whatever it has. */
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
 * Pairs files with similar texts. The most similar pair wins; each file is part of one pair at most. Manifests are one file with two names
 * only if their objects are the same by kind and name.
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
  /** Lines of the file, and how often it has each of them. */
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
    // YAML with parts of another language, such as a template of a chart, is not a manifest.
    return '';
  }
}

/** Begins of lines that are comments, by the extension of the file. Files of other kinds may have any text in such lines. */
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
 * Counts the lines of a file that say what it is about. Blank lines and comments are left out: files that have nothing else in common have
 * the same licence, markers and explanations.
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

/** Returns the share of lines that both files have, of those of the longer one: from 0 to 1. */
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
