import { codeSpan } from '../../../base/util/markdown.ts';
import { printableLine } from '../../../base/util/printable.ts';
import { ratchetingNote } from './change-codes.ts';
import type { CrdChange } from './change.ts';
import type { RenderOptions } from './render-text.ts';
import {
  groupChanges,
  isDocumentation,
  isRatchetingNoted,
  reasonOf,
  summarize,
  summaryText,
  verdictOf,
} from './summarize.ts';

/** The changes as a comment of a pull request: a table for each definition and version. */
export function renderMarkdown(changes: readonly CrdChange[], { all }: RenderOptions): string {
  const listed = changes.filter((change) => all || !isDocumentation(change));
  const groups = groupChanges(listed).map(({ crd, version, changes: members }) => {
    const heading = version === undefined ? code(crd) : `${code(crd)} ${code(version)}`;
    return [`#### ${heading}`, '', '| | Where | What | Why |', '|---|---|---|---|', ...members.map(row)].join(
      '\n',
    );
  });
  const notes = isRatchetingNoted(listed) ? [`(\\*) ${ratchetingNote}`] : [];
  return `${[`**${summaryText(summarize(changes), all)}**`, ...groups, ...notes].join('\n\n')}\n`;
}

function row(change: CrdChange): string {
  const verdict = verdictOf(change);
  const shown = verdict === 'breaking' ? '**breaking**' : verdict;
  const what = `${cell(change.message)} (${codeSpan(change.code)})`;
  return `| ${shown} | ${code(change.path)} | ${what} | ${cell(reasonOf(change))} |`;
}

const code = (text: string): string => codeSpan(printableLine(text));

/** Text that stays in its cell and is not taken for markup. */
function cell(text: string): string {
  return printableLine(text).replace(/[\\|<>*_`[\]]/g, '\\$&');
}
