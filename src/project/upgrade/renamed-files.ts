/** Share of equal lines from which on two files count as one file with two names. Git asks for half of the content by default. */
const leastSimilarity = 0.6;

/** A file that a new version scaffolds under another name. */
export interface RenamedFile {
  readonly from: string;
  readonly to: string;
}

/**
 * Pairs files that a new version no longer scaffolds with files that it scaffolds first. The most similar pair wins; each file is part of
 * one pair at most.
 * @param removed texts as the old version scaffolds them, by path
 * @param added texts as the new version scaffolds them, by path
 */
export function renamedFiles(
  removed: ReadonlyMap<string, string>,
  added: ReadonlyMap<string, string>,
): readonly RenamedFile[] {
  const counts = new Map([...added].map(([path, text]) => [path, lineCounts(text)]));
  const pairs = [...removed].flatMap(([from, text]) => {
    const lines = lineCounts(text);
    return [...counts].map(([to, others]) => ({ from, to, similarity: similarity(lines, others) }));
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

/** Returns how often a text has each of its lines. Blank lines are left out, because all files have them. */
function lineCounts(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split(/\r?\n/))
    if (line.trim() !== '') counts.set(line, (counts.get(line) ?? 0) + 1);
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
