import { structuredPatch } from 'diff';

/** A side of a comparison; without text it is not there. */
export interface DiffSide {
  readonly name: string;
  readonly text: string | undefined;
}

/** The difference of two texts as `diff -u` prints it, for people and for tools; empty if there is none. */
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
  // Of no lines, the range names the line before.
  const first = lines === 0 ? Math.max(start - 1, 0) : start;
  return lines === 1 ? String(first) : `${first},${lines}`;
}
