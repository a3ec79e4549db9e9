import { diff3Merge, diffIndices } from 'node-diff3';

/** Versions of a text that are merged. */
export interface TextVersions {
  /** The text that both others come from. */
  readonly base: string;
  /** The text with people's edits. */
  readonly edited: string;
  /** The text as op-sdk writes it now. */
  readonly generated: string;
}

/** A merged text, with the number of conflicts: places that were changed on both sides. */
export interface MergedText {
  readonly text: string;
  readonly conflicts: number;
}

/**
 * Merges edits into a generated text, line by line as git does. Lines that both sides have changed differently are kept twice, between the
 * conflict markers of git. Lines of the edited text keep their ends.
 */
export function mergeText({ base, edited, generated }: TextVersions): MergedText {
  const regions = diff3Merge(linesOf(edited), linesOf(base), linesOf(generated), {
    excludeFalseConflicts: true,
  });
  let conflicts = 0;
  const lines = regions.flatMap(({ ok, conflict }) => {
    if (conflict === undefined) return ok ?? [];
    conflicts += 1;
    return ['<<<<<<< edited', ...conflict.a, '=======', ...conflict.b, '>>>>>>> op-sdk'];
  });
  return { text: keepLineEnds(edited, lines.join('\n')), conflicts };
}

/** Gives the lines of a text the ends that they have in a former version of it. New lines end as most lines do there. */
export function keepLineEnds(former: string, text: string): string {
  const windows = former.split('\r\n').length - 1;
  const others = former.split('\n').length - 1 - windows;
  const usual = windows > others ? '\r\n' : '\n';
  const lines = linesOf(text);
  if (windows === 0 || others === 0) return lines.join(usual);
  const ends = former.match(/\r?\n/g) ?? [];
  const kept: string[] = [];
  let [from, to] = [0, 0];
  for (const { buffer1, buffer2 } of diffIndices(linesOf(former), lines)) {
    while (to < buffer2[0]) kept[to++] = ends[from++] ?? usual;
    from = buffer1[0] + buffer1[1];
    to = buffer2[0] + buffer2[1];
  }
  while (to < lines.length) kept[to++] = ends[from++] ?? usual;
  return lines
    .map((line, index) => (index === lines.length - 1 ? line : line + (kept[index] ?? usual)))
    .join('');
}

function linesOf(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}
