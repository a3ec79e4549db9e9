import { diffArrays, structuredPatch } from 'diff';

/** Number of unchanged lines shown before and after a change. */
const CONTEXT = 2;

/** Returns the difference of two texts for people: lines prefixed with `-`, `+` or a space, and `…` for omitted lines. */
export function lineDiff(before: string, after: string): string {
  const lines = diffArrays(splitLines(before), splitLines(after)).flatMap(({ value, added, removed }) =>
    value.map((text) => ({ sign: added ? '+' : removed ? '-' : ' ', text }) as const),
  );
  const inContext = new Set<number>();
  lines.forEach(({ sign }, index) => {
    if (sign === ' ') return;
    for (let i = index - CONTEXT; i <= index + CONTEXT; i++) inContext.add(i);
  });
  const shown: string[] = [];
  lines.forEach(({ sign, text }, index) => {
    if (inContext.has(index)) shown.push(`${sign}${text}`);
    else if (inContext.has(index - 1) || index === 0) shown.push('…');
  });
  return shown.join('\n');
}

function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** One side of a comparison; an undefined text means that the file does not exist. */
interface DiffSide {
  readonly name: string;
  readonly text: string | undefined;
}

/** Returns the difference of two texts as `diff -u` prints it, for people and for tools; empty if the texts are equal. */
export function unifiedDiff(before: DiffSide, after: DiffSide): string {
  const { hunks } = structuredPatch('', '', before.text ?? '', after.text ?? '', '', '', { context: 3 });
  if (hunks.length === 0) return '';
  const nameOf = ({ name, text }: DiffSide): string => (text === undefined ? '/dev/null' : name);
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: content }) => [
    `@@ -${rangeText(oldStart, oldLines)} +${rangeText(newStart, newLines)} @@`,
    ...content,
  ]);
  return `${[`--- ${nameOf(before)}`, `+++ ${nameOf(after)}`, ...lines].join('\n')}\n`;
}

function rangeText(start: number, lines: number): string {
  // An empty range is written with the number of the line before it.
  const first = lines === 0 ? Math.max(start - 1, 0) : start;
  return lines === 1 ? String(first) : `${first},${lines}`;
}
