import { printableLine } from '../../../base/util/terminal-words.ts';
import { codeSpan } from '../../../base/util/words.ts';
import { ratchetingNote } from './change-codes.ts';
import type { CrdChange } from './change.ts';

const width = 100;
const margin = ' '.repeat(14);

interface RenderOptions {
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

/** Returns the lines of a change. The reason is omitted if the next change has the same one, so that it is printed only once. */
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
    // A line that begins with `::` would be read as a command by GitHub Actions.
    const mayBegin = !word.startsWith('::');
    if (last === undefined || (mayBegin && last.length + 1 + word.length > width)) lines.push(start + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

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

/** Escapes text that could end its table cell or be read as markup. */
function cell(text: string): string {
  return printableLine(text).replace(/[\\|<>*_`[\]]/g, '\\$&');
}

/** Numbers of changes of each kind. */
interface ChangeSummary {
  readonly breaking: number;
  readonly compatible: number;
  /** Accepted changes, which are not among the others. */
  readonly waived: number;
  /** Changes of documentation that are not breaking by the project's severities; they are not included in the compatible ones. */
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

/** Returns true for a change of documentation only, which is listed only on request. */
export function isDocumentation({ code, severity }: CrdChange): boolean {
  return code === 'documentation' && severity === 'compatible';
}

/**
 * Returns `1 breaking change, 12 compatible changes`, followed by the other numbers.
 * @param all whether changes of documentation are listed
 */
export function summaryText(summary: ChangeSummary, all: boolean): string {
  const changes = (count: number, word: string): string =>
    `${count === 0 ? 'no' : count} ${word} change${count === 1 ? '' : 's'}`;
  const { breaking, compatible, waived, documentation } = summary;
  const more = all ? '' : ' (--all lists them)';
  return [
    changes(breaking, 'breaking'),
    changes(compatible, 'compatible'),
    ...(waived > 0 ? [changes(waived, 'waived')] : []),
    ...(documentation > 0 ? [`${changes(documentation, 'documentation')}${more}`] : []),
  ].join(', ');
}

/** Changes with one heading. */
interface ChangeGroup {
  readonly crd: string;
  /** Undefined for what belongs to all versions. */
  readonly version: string | undefined;
  readonly changes: readonly CrdChange[];
}

/** The changes by definition and version, in their order. */
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

/** `stored objects, writers`. */
function affectedText({ affects }: CrdChange): string {
  return affects.map((who) => (who === 'stored' ? 'stored objects' : who)).join(', ');
}

/** Returns the word that is printed for the severity. */
function verdictOf({ severity, waived }: CrdChange): 'breaking' | 'compatible' | 'waived' {
  return waived === undefined ? severity : 'waived';
}

/** Returns the affected parties and the reason, or the reason why the change is accepted. */
export function reasonOf(change: CrdChange): string {
  const { waived, explanation, ratcheted } = change;
  if (waived !== undefined) return `Accepted until ${waived.until}: ${waived.reason}`;
  const affected = affectedText(change);
  return affected === '' ? explanation : `For ${affected}: ${explanation}${ratcheted ? ' (*)' : ''}`;
}

/** Returns true if a reason refers to the note on ratcheting. */
function isRatchetingNoted(changes: readonly CrdChange[]): boolean {
  return changes.some(({ ratcheted, waived }) => ratcheted && waived === undefined);
}
