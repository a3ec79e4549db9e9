import { codeSpan } from '../../../base/util/markdown.ts';
import { describeGrant, describeVerbs } from './describe.ts';
import { summarizeAccess, type AccessChange, type AccessSummary } from './diff-access.ts';
import { targetKey } from './grant.ts';
import { accessTitle } from './read-access.ts';

/** The changes of one role or binding that differ in their verbs alone, as one line. */
interface ChangeLine {
  readonly change: AccessChange['change'];
  readonly verbs: readonly string[];
  readonly target: string;
  /** A star for what is without an end, and what the other side grants of it; empty as a rule. */
  readonly note: string;
}

/** The most permissions that are listed in a note. */
const mostListed = 6;

/** The changes for people: by role and binding. @returns lines, each with its end */
export function renderAccessText(changes: readonly AccessChange[]): string {
  const groups = groupChanges(changes).map(({ title, lines }) =>
    [
      title,
      ...lines.map(({ change, verbs, target, note }) => {
        const what = verbs.length === 0 ? target : `${describeVerbs(verbs)}: ${target}`;
        return `  ${change.padEnd(8)}  ${what}${note === '' ? '' : ` (${note})`}`;
      }),
    ].join('\n'),
  );
  const notes = changes.some(({ openEnded }) => openEnded) ? [`(*) ${openEndedNote}`] : [];
  return `${[...groups, ...notes, accessSummaryText(summarizeAccess(changes))].join('\n\n')}\n`;
}

/** The changes as a comment of a pull request: a table for each role and binding. */
export function renderAccessMarkdown(changes: readonly AccessChange[]): string {
  const groups = groupChanges(changes).map(({ title, lines }) =>
    [
      `#### ${codeSpan(title)}`,
      '',
      '| | Verbs | Of |',
      '|---|---|---|',
      ...lines.map(({ change, verbs, target, note }) => {
        const verdict = change === 'widened' ? '**widened**' : 'narrowed';
        const star = note === '' ? '' : ` (${note.replace('*', '\\*')})`;
        return `| ${verdict} | ${verbs.map(codeSpan).join(' ')} | ${codeSpan(target)}${star} |`;
      }),
    ].join('\n'),
  );
  const notes = changes.some(({ openEnded }) => openEnded) ? [`(\\*) ${openEndedNote}`] : [];
  return `${[`**${accessSummaryText(summarizeAccess(changes))}**`, ...groups, ...notes].join('\n\n')}\n`;
}

/** `2 permissions widened, none narrowed`. */
export function accessSummaryText({ widened, narrowed }: AccessSummary): string {
  const first = `${widened === 0 ? 'no' : widened} permission${widened === 1 ? '' : 's'} widened`;
  return `${first}, ${narrowed === 0 ? 'none' : narrowed} narrowed`;
}

const openEndedNote = 'without an end: it also grants what is added to the cluster later';

function groupChanges(
  changes: readonly AccessChange[],
): readonly { readonly title: string; readonly lines: readonly ChangeLine[] }[] {
  const groups = new Map<string, Map<string, ChangeLine>>();
  for (const { change, object, grant, openEnded, granted } of changes) {
    const title = accessTitle(object);
    const lines = groups.get(title) ?? new Map<string, ChangeLine>();
    groups.set(title, lines);
    const verbs = 'verb' in grant ? [grant.verb] : [];
    const note = noteOn({ change, object, grant, openEnded, granted });
    const key = [change, note, targetKey(grant)].join('\u0000');
    const known = lines.get(key);
    lines.set(key, {
      change,
      target: describeGrant(grant),
      note,
      verbs: [...(known?.verbs ?? []), ...verbs],
    });
  }
  return [...groups].map(([title, lines]) => ({ title, lines: [...lines.values()] }));
}

function noteOn({ change, grant, openEnded, granted }: AccessChange): string {
  const when = change === 'widened' ? 'so far' : 'still';
  const target = targetKey(grant);
  const listed = granted.map((each) => {
    const verbs = 'verb' in each ? describeVerbs([each.verb]) : '';
    return targetKey(each) === target ? verbs : `${verbs} ${describeGrant(each)}`;
  });
  const known = granted.length > mostListed ? [`${granted.length} permissions`] : listed;
  return [...(openEnded ? ['*'] : []), ...(known.length === 0 ? [] : [`${when} ${known.join(', ')}`])].join(
    '; ',
  );
}
