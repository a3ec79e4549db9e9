import { diffArrays } from 'diff';

/** Lines kept around a change. */
const CONTEXT = 2;

/**
 * The difference of two texts for people: lines with `-`, `+` or a blank in front, `…` for what is left out.
 */
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
