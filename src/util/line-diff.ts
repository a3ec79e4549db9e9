/** Lines kept around a change. */
const CONTEXT = 2;

type Line = { readonly sign: ' ' | '-' | '+'; readonly text: string };

/**
 * The difference of two texts for people: lines with `-`, `+` or a blank in front, `…` for what is left out.
 * Quadratic in the number of lines that differ; made for files of a scaffold.
 */
export function lineDiff(before: string, after: string): string {
  const lines = compare(splitLines(before), splitLines(after));
  const near = new Set<number>();
  lines.forEach(({ sign }, index) => {
    if (sign === ' ') return;
    for (let i = index - CONTEXT; i <= index + CONTEXT; i++) near.add(i);
  });
  const shown: string[] = [];
  lines.forEach(({ sign, text }, index) => {
    if (near.has(index)) shown.push(`${sign}${text}`);
    else if (near.has(index - 1) || index === 0) shown.push('…');
  });
  return shown.join('\n');
}

function splitLines(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail++;
  }
  const same = (lines: readonly string[]): Line[] => lines.map((text) => ({ sign: ' ', text }));
  return [
    ...same(before.slice(0, head)),
    ...changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

/** The longest common subsequence, by the table of the lengths of all suffixes. */
function changed(before: readonly string[], after: readonly string[]): readonly Line[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const length = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i] === after[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [left, right] = [before[i], after[j]];
    if (left !== undefined && left === right) {
      lines.push({ sign: ' ', text: left });
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || length(i + 1, j) >= length(i, j + 1))) {
      lines.push({ sign: '-', text: left });
      i++;
    } else if (right !== undefined) {
      lines.push({ sign: '+', text: right });
      j++;
    }
  }
  return lines;
}
