import { ratchetingNote } from './change-codes.ts';
import type { CrdChange } from './change.ts';
import { affectedText, groupChanges, summarize, summaryText } from './summarize.ts';

const width = 100;
const margin = ' '.repeat(14);

/**
 * The changes for people: by definition and version, breaking ones first, each with who is affected and why. Changes of
 * documentation are counted only.
 *
 * @returns lines, each with its end
 */
export function renderText(changes: readonly CrdChange[]): string {
  const groups = groupChanges(changes).map(({ crd, version, changes: listed, documentation }) => {
    const heading = version === undefined ? crd : `${crd} ${version}`;
    const lines = listed.flatMap((change, index) => linesOf(change, listed[index + 1]));
    if (documentation > 0) lines.push(`  compatible  documentation: ${documentation} changed`);
    return [heading, ...lines].join('\n');
  });
  const notes = changes.some(({ ratcheted }) => ratcheted)
    ? [wrap(`(*) ${ratchetingNote}`, '').join('\n')]
    : [];
  return `${[...groups, ...notes, summaryText(summarize(changes))].join('\n\n')}\n`;
}

/** If several changes in a row have the same reason, it is printed below the last of them. */
function linesOf(change: CrdChange, next: CrdChange | undefined): readonly string[] {
  const { severity, code, path, message } = change;
  const line = `  ${severity.padEnd(10)}  ${code}  ${path}: ${message}`;
  const isRepeated = next?.severity === severity && reasonOf(next) === reasonOf(change);
  return isRepeated ? [line] : [line, ...wrap(reasonOf(change), margin)];
}

function reasonOf(change: CrdChange): string {
  const affected = affectedText(change);
  const star = change.ratcheted ? ' (*)' : '';
  return affected === '' ? change.explanation : `For ${affected}: ${change.explanation}${star}`;
}

function wrap(text: string, start: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(start + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
