import { printableLine } from '../../../base/util/terminal-words.ts';
import { countText, codeSpan } from '../../../base/util/words.ts';
import { ratchetingNote } from './change-codes.ts';
import type { CrdChange } from './change.ts';

const width = 100;
const margin = ' '.repeat(14);

interface RenderOptions {
  /** True to list changes of documentation, too; false to only count these changes. */
  readonly all: boolean;
}

/**
 * Renders the changes as text for people: by definition and version, breaking changes first, each with the affected parties and the reason.
 *
 * @returns lines, each with a line break at the end
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

/**
 * Returns the lines of a change. If the next change has the same reason, the reason is omitted here and printed only with the next change.
 */
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
    // GitHub Actions would read a line that begins with `::` as a command.
    const mayBegin = !word.startsWith('::');
    if (last === undefined || (mayBegin && last.length + 1 + word.length > width)) lines.push(start + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Renders the changes as Markdown for a comment on a pull request: a table for each definition and version. */
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

/** Escapes characters that could end the table cell around the text or be read as markup. */
function cell(text: string): string {
  return printableLine(text).replace(/[\\|<>*_`[\]]/g, '\\$&');
}

/** Numbers of changes, by kind of change. */
interface ChangeSummary {
  readonly breaking: number;
  readonly compatible: number;
  /** Number of accepted changes, which are not included in the other numbers. */
  readonly waived: number;
  /**
   * Number of changes of documentation, except those that the project's severities make breaking. They are not included in the compatible
   * changes.
   */
  readonly documentation: number;
}

export function summarize(changes: readonly CrdChange[]): ChangeSummary {
  const counted = changes.filter(({ waived }) => waived === undefined);
  const breaking = counted.filter(({ severity }) => severity === 'breaking').length;
  const documentation = counted.filter(isDocumentation).length;
  return {
    breaking,
    compatible: counted.length - breaking - documentation,
    waived: changes.length - counted.length,
    documentation,
  };
}

/** Returns true for a compatible change of documentation only. Such changes are listed only on request. */
export function isDocumentation({ code, severity }: CrdChange): boolean {
  return code === 'documentation' && severity === 'compatible';
}

/**
 * Returns a summary such as `1 breaking change, 12 compatible changes`, followed by the numbers of waived and documentation changes.
 * @param all true if changes of documentation are listed
 */
export function summaryText(summary: ChangeSummary, all: boolean): string {
  const changes = (count: number, word: string): string =>
    count === 0 ? `no ${word} changes` : countText(count, `${word} change`);
  const { breaking, compatible, waived, documentation } = summary;
  const more = all ? '' : ' (--all lists them)';
  return [
    changes(breaking, 'breaking'),
    changes(compatible, 'compatible'),
    ...(waived > 0 ? [changes(waived, 'waived')] : []),
    ...(documentation > 0 ? [`${changes(documentation, 'documentation')}${more}`] : []),
  ].join(', ');
}

/** Changes that are printed below the same heading. */
interface ChangeGroup {
  readonly crd: string;
  /** Version of the changes; undefined if they concern all versions. */
  readonly version: string | undefined;
  readonly changes: readonly CrdChange[];
}

/** Groups changes by definition and version, and keeps their order. */
function groupChanges(changes: readonly CrdChange[]): readonly ChangeGroup[] {
  const groups = new Map<string, CrdChange[]>();
  for (const change of changes) {
    const key = JSON.stringify([change.crd, change.version]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()].map((group) => ({
    crd: group[0]?.crd ?? '',
    version: group[0]?.version,
    changes: group,
  }));
}

/** Returns the parties that a change affects, for example `stored objects, writers`. */
function affectedText({ affects }: CrdChange): string {
  return affects.map((who) => (who === 'stored' ? 'stored objects' : who)).join(', ');
}

/** Returns the word that is printed for a change: its severity, or `waived` if the change is accepted. */
function verdictOf({ severity, waived }: CrdChange): 'breaking' | 'compatible' | 'waived' {
  return waived === undefined ? severity : 'waived';
}

/**
 * Returns the affected parties and the explanation of a change. For an accepted change, returns the reason and the end date of the
 * acceptance.
 */
export function reasonOf(change: CrdChange): string {
  const { waived, explanation, ratcheted } = change;
  if (waived !== undefined) return `Accepted until ${waived.until}: ${waived.reason}`;
  const affected = affectedText(change);
  return affected === '' ? explanation : `For ${affected}: ${explanation}${ratcheted ? ' (*)' : ''}`;
}

/** Returns true if the note on ratcheting must be printed, because the reason of a change refers to it. */
function isRatchetingNoted(changes: readonly CrdChange[]): boolean {
  return changes.some(({ ratcheted, waived }) => ratcheted && waived === undefined);
}
