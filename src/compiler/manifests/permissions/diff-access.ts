import type { Where } from '../../../base/errors/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { codeSpan } from '../../../base/util/words.ts';
import { coveredBy, covers, isOpenEnded, simplify, targetKey, type Grant } from './grant.ts';
import { accessKey, type AccessObject, accessTitle } from './read-access.ts';

/** A grant that only one of two compared versions of an RBAC object has. */
export interface AccessChange {
  /** `widened`: only the new object grants it. `narrowed`: only the old object grants it. */
  readonly change: 'widened' | 'narrowed';
  /** The role or binding that changed. */
  readonly object: Pick<AccessObject, 'kind' | 'name' | 'namespace'>;
  /** Place of the object, in the new version if it is there. */
  readonly where: Where;
  readonly grant: Grant;
  /** True if the grant contains a `*`, which also covers resources or verbs that are added later. */
  readonly openEnded: boolean;
  /** For an open-ended grant: the part of it that the other version grants too, such as the verbs that are listed there instead of `*`. */
  readonly granted: readonly Grant[];
}

/**
 * Compares the grants of two sets of RBAC objects, object by object. Compares permissions, not how the rules are written: a permission that
 * another rule of the same object includes is ignored. Sorts by object, then by grant; `widened` comes before `narrowed`.
 */
export function diffAccess(
  before: readonly AccessObject[],
  after: readonly AccessObject[],
): readonly AccessChange[] {
  const old = byKey(before);
  const now = byKey(after);
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort(compareCodeUnits);
  return keys.flatMap((key) => {
    const object = now.get(key) ?? old.get(key);
    if (object === undefined) return [];
    const { kind, name, namespace, where } = object;
    const identity = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
    return diffGrants(old.get(key)?.grants ?? [], now.get(key)?.grants ?? []).map((each) => ({
      ...each,
      object: identity,
      where,
      openEnded: isOpenEnded(each.grant),
    }));
  });
}

type GrantChange = Pick<AccessChange, 'change' | 'grant' | 'granted'>;

/** Returns the grants that only one of the two lists has, without grants that another one includes. */
function diffGrants(before: readonly Grant[], after: readonly Grant[]): readonly GrantChange[] {
  const only = (
    change: AccessChange['change'],
    side: readonly Grant[],
    other: readonly Grant[],
  ): readonly GrantChange[] =>
    simplify(side)
      .filter((grant) => !coveredBy(other, grant))
      .map((grant) => ({ change, grant, granted: simplify(other).filter((each) => covers(grant, each)) }));
  return [...only('widened', after, before), ...only('narrowed', before, after)].sort((a, b) =>
    compareCodeUnits(targetKey(a.grant), targetKey(b.grant)),
  );
}

/** Number of `widened` and of `narrowed` changes. */
interface AccessSummary {
  readonly widened: number;
  readonly narrowed: number;
}

export function summarizeAccess(changes: readonly AccessChange[]): AccessSummary {
  const widened = changes.filter(({ change }) => change === 'widened').length;
  return { widened, narrowed: changes.length - widened };
}

function byKey(objects: readonly AccessObject[]): ReadonlyMap<string, AccessObject> {
  return new Map(objects.map((object) => [accessKey(object), object]));
}

/** Changes of one role or binding that differ only in their verbs, combined into one line. */
interface ChangeLine {
  readonly change: AccessChange['change'];
  readonly verbs: readonly string[];
  readonly target: string;
  /** A `*` for an open-ended grant, and the part of it that the other version grants too. Usually empty. */
  readonly note: string;
}

/** Maximum number of permissions listed in a note. */
const mostListed = 6;

/** Formats the changes as plain text, grouped by role and binding. @returns lines, each with a line break */
export function renderAccessText(changes: readonly AccessChange[]): string {
  const groups = groupChanges(changes).map(({ title, lines }) =>
    [title, ...lines.map((line) => `  ${line.change.padEnd(8)}  ${textOf(line)}`)].join('\n'),
  );
  const notes = changes.some(({ openEnded }) => openEnded) ? [`(*) ${openEndedNote}`] : [];
  return `${[...groups, ...notes, accessSummaryText(summarizeAccess(changes))].join('\n\n')}\n`;
}

function textOf({ verbs, target, note }: ChangeLine): string {
  const what = verbs.length === 0 ? target : `${describeVerbs(verbs)}: ${target}`;
  return `${what}${note === '' ? '' : ` (${note})`}`;
}

/** A line of the changes for annotations, with the place of the role or binding. */
interface AccessLine extends Pick<AccessChange, 'change' | 'where'> {
  readonly text: string;
}

/** Formats the changes for annotations, one for each line of {@link renderAccessText}. */
export function accessLines(changes: readonly AccessChange[]): readonly AccessLine[] {
  return groupChanges(changes).flatMap(({ title, where, lines }) =>
    lines.map((line) => ({
      change: line.change,
      where,
      text: [
        `${title}: ${textOf(line)}`,
        ...(line.note.startsWith('*') ? [`(*) ${openEndedNote}`] : []),
      ].join('\n'),
    })),
  );
}

/** Formats the changes as Markdown for a comment in a pull request, with a table for each role and binding. */
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

/** Summarizes the number of changes, for example `2 permissions widened, none narrowed`. */
export function accessSummaryText({ widened, narrowed }: AccessSummary): string {
  const first = `${widened === 0 ? 'no' : widened} permission${widened === 1 ? '' : 's'} widened`;
  return `${first}, ${narrowed === 0 ? 'none' : narrowed} narrowed`;
}

const openEndedNote = 'also covers what is added to the cluster later';

/** Lines of one role or binding. */
interface ChangeGroup {
  readonly title: string;
  readonly where: Where;
  readonly lines: readonly ChangeLine[];
}

function groupChanges(changes: readonly AccessChange[]): readonly ChangeGroup[] {
  const groups = new Map<string, { readonly where: Where; readonly lines: Map<string, ChangeLine> }>();
  for (const change of changes) {
    const title = accessTitle(change.object);
    const group = groups.get(title) ?? { where: change.where, lines: new Map<string, ChangeLine>() };
    groups.set(title, group);
    const verbs = 'verb' in change.grant ? [change.grant.verb] : [];
    const note = noteOn(change);
    const key = [change.change, note, targetKey(change.grant)].join('\u0000');
    const known = group.lines.get(key);
    group.lines.set(key, {
      change: change.change,
      target: describeGrant(change.grant),
      note,
      verbs: [...(known?.verbs ?? []), ...verbs],
    });
  }
  return [...groups].map(([title, { where, lines }]) => ({ title, where, lines: [...lines.values()] }));
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

/**
 * Describes the resource or path of a grant without its verb, for example `deployments.apps/status`, `secrets` or `every resource in every
 * group`.
 */
export function describeGrant(grant: Grant): string {
  switch (grant.type) {
    case 'subject':
      return `${grant.subject} as ${grant.role}`;
    case 'aggregate':
      return `the rules of the ClusterRoles that ${grant.selector} selects`;
    case 'url':
      return grant.url === '*' ? 'every path' : grant.url;
    case 'resource': {
      const name = grant.name === undefined ? '' : ` named ${grant.name}`;
      return `${describeResource(grant.group, grant.resource)}${name}`;
    }
  }
}

/** Formats verbs for people; `*` becomes "every verb". */
export function describeVerbs(verbs: readonly string[]): string {
  return verbs.map((verb) => (verb === '*' ? 'every verb' : verb)).join(', ');
}

/** Formats a resource in the notation of kubectl, for example `deployments.apps/status`. */
function describeResource(group: string, resource: string): string {
  const [plural = '', ...rest] = resource.split('/');
  const subresource = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (plural === '*') {
    const all = subresource === '' ? 'every resource' : `${subresource.slice(1)} of every resource`;
    return `${all} in ${group === '*' ? 'every group' : group === '' ? 'the core group' : group}`;
  }
  if (group === '*') return `${resource} in every group`;
  return group === '' ? resource : `${plural}.${group}${subresource}`;
}

/** Returns a grant for `-o json`, with the field names of RBAC. */
export function grantJson(grant: Grant): Readonly<Record<string, string>> {
  switch (grant.type) {
    case 'subject':
      return { role: grant.role, subject: grant.subject };
    case 'aggregate':
      return { clusterRoleSelector: grant.selector };
    case 'url':
      return { nonResourceURL: grant.url, verb: grant.verb };
    case 'resource': {
      const { group, name, verb } = grant;
      const [resource = '', ...rest] = grant.resource.split('/');
      return {
        group,
        resource,
        ...(rest.length === 0 ? {} : { subresource: rest.join('/') }),
        ...(name === undefined ? {} : { resourceName: name }),
        verb,
      };
    }
  }
}
