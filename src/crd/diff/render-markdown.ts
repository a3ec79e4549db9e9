import { codeSpan } from '../../util/markdown.ts';
import { ratchetingNote } from './change-codes.ts';
import type { CrdChange } from './change.ts';
import { affectedText, groupChanges, summarize, summaryText } from './summarize.ts';

/** The changes as a comment of a pull request: a table for each definition and version. */
export function renderMarkdown(changes: readonly CrdChange[]): string {
  const groups = groupChanges(changes).map(({ crd, version, changes: listed, documentation }) => {
    const heading = version === undefined ? codeSpan(crd) : `${codeSpan(crd)} ${codeSpan(version)}`;
    const rows = listed.map(row);
    const counted =
      documentation === 0 ? [] : [`| compatible | | documentation: ${documentation} changed | |`];
    return [`#### ${heading}`, '', '| | Where | What | Why |', '|---|---|---|---|', ...rows, ...counted].join(
      '\n',
    );
  });
  const notes = changes.some(({ ratcheted }) => ratcheted) ? [`(\\*) ${ratchetingNote}`] : [];
  return `${[`**${summaryText(summarize(changes))}**`, ...groups, ...notes].join('\n\n')}\n`;
}

function row(change: CrdChange): string {
  const affected = affectedText(change);
  const verdict = change.severity === 'breaking' ? '**breaking**' : 'compatible';
  const star = change.ratcheted ? ' (*)' : '';
  const why = affected === '' ? change.explanation : `For ${affected}: ${change.explanation}${star}`;
  const what = `${cell(change.message)} (${codeSpan(change.code)})`;
  return `| ${verdict} | ${codeSpan(change.path)} | ${what} | ${cell(why)} |`;
}

/** Text that stays in its cell and is not taken for markup. */
function cell(text: string): string {
  return text.replace(/[\\|<>*_`[\]]/g, '\\$&').replaceAll('\n', ' ');
}
