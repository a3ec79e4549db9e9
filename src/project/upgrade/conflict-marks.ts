import type { Finding } from '../../base/errors/index.ts';
import type { ReadFile } from '../scaffold/index.ts';

const remove = 'choose between the lines at its marks <<<<<<<, and remove the marks';

/** Returns the finding for a file in which an upgrade has marked conflicts. */
export function markedPlaces(path: string, count: number): Finding {
  return {
    code: 'upgrade/conflict',
    message: `${path} has ${count} ${count === 1 ? 'place that was' : 'places that were'} edited, and that the new version has changed`,
    where: { file: path },
    fix: [remove],
  };
}

/**
 * Returns a finding for each of the files that still has conflict markers. A single marker counts, too, because the user may have removed
 * only the other one.
 */
export async function conflictsLeft(paths: readonly string[], read: ReadFile): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const path of paths) {
    const count = marksIn((await read(path)) ?? '').length;
    if (count > 0) findings.push(markedPlaces(path, count));
  }
  return findings;
}

/** Returns the finding for a file that cannot be merged because it has conflict markers of an earlier merge; undefined if it has none. */
export function earlierMarks(path: string, text: string): Finding | undefined {
  const [line] = marksIn(text);
  if (line === undefined) return undefined;
  return {
    code: 'upgrade/conflict',
    message: `${path} has marks of conflicts already: expected a file without them, because the new version has changed it too`,
    where: { file: path, line },
    fix: [`${remove}; then run the command again`],
  };
}

/** Returns the line of each conflict, counted from 1. A line `=======` without other markers may be the underline of a heading. */
function marksIn(text: string): readonly number[] {
  const lines = text.split(/\r?\n/);
  const linesOf = (mark: string): readonly number[] =>
    lines.flatMap((line, index) => (line === mark ? [index + 1] : []));
  const [begins, ends] = [linesOf('<<<<<<< edited'), linesOf('>>>>>>> op-sdk')];
  return begins.length >= ends.length ? begins : ends;
}
