import { printableLine } from '../../../base/util/printable.ts';
import { ratchetingNote } from './change-codes.ts';
import type { CrdChange } from './change.ts';
import {
  groupChanges,
  isDocumentation,
  isRatchetingNoted,
  reasonOf,
  summarize,
  summaryText,
  verdictOf,
} from './summarize.ts';

const width = 100;
const margin = ' '.repeat(14);

export interface RenderOptions {
  /** List changes of documentation, too; else count them. */
  readonly all: boolean;
}

/**
 * The changes for people: by definition and version, breaking ones first, each with who is affected and why.
 *
 * @returns lines, each with its end
 */
export function renderText(changes: readonly CrdChange[], { all }: RenderOptions): string {
  const listed = changes.filter((change) => all || !isDocumentation(change));
  const groups = groupChanges(listed).map((group) => {
    const heading = group.version === undefined ? group.crd : `${group.crd} ${group.version}`;
    return [
      printableLine(heading),
      ...group.changes.flatMap((change, index) => linesOf(change, group.changes[index + 1])),
    ].join('\n');
  });
  const notes = isRatchetingNoted(listed) ? [wrap(`(*) ${ratchetingNote}`, '').join('\n')] : [];
  return `${[...groups, ...notes, summaryText(summarize(changes), all)].join('\n\n')}\n`;
}

/** If several changes in a row have the same reason, it is printed below the last of them. */
function linesOf(change: CrdChange, next: CrdChange | undefined): readonly string[] {
  const { code, path, message } = change;
  const verdict = verdictOf(change);
  const line = `  ${verdict.padEnd(10)}  ${code}  ${printableLine(`${path}: ${message}`)}`;
  const isRepeated = next !== undefined && verdictOf(next) === verdict && reasonOf(next) === reasonOf(change);
  return isRepeated ? [line] : [line, ...wrap(reasonOf(change), margin)];
}

function wrap(text: string, start: string): readonly string[] {
  const lines: string[] = [];
  for (const word of printableLine(text).split(' ')) {
    const last = lines.at(-1);
    // A line that begins like that is a command for GitHub Actions, which reads what is printed.
    const mayBegin = !word.startsWith('::');
    if (last === undefined || (mayBegin && last.length + 1 + word.length > width)) lines.push(start + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
