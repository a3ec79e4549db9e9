import type { CrdChange } from './change.ts';

/** Numbers of changes of each kind. */
export interface ChangeSummary {
  readonly breaking: number;
  readonly compatible: number;
  /** Accepted changes, which are not among the others. */
  readonly waived: number;
  /** Changes of documentation that nobody has made breaking; they are not among the compatible ones. */
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

/** Returns true for a change of documentation only, which is listed for those who ask for it. */
export function isDocumentation({ code, severity }: CrdChange): boolean {
  return code === 'documentation' && severity === 'compatible';
}

/**
 * `1 breaking change, 12 compatible changes`, and what else there is.
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
export interface ChangeGroup {
  readonly crd: string;
  /** Undefined for what belongs to all versions. */
  readonly version: string | undefined;
  readonly changes: readonly CrdChange[];
}

/** The changes by definition and version, in their order. */
export function groupChanges(changes: readonly CrdChange[]): readonly ChangeGroup[] {
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
export function verdictOf({ severity, waived }: CrdChange): 'breaking' | 'compatible' | 'waived' {
  return waived === undefined ? severity : 'waived';
}

/** Says who is affected and why, or why the change is accepted. */
export function reasonOf(change: CrdChange): string {
  const { waived, explanation, ratcheted } = change;
  if (waived !== undefined) return `Accepted until ${waived.until}: ${waived.reason}`;
  const affected = affectedText(change);
  return affected === '' ? explanation : `For ${affected}: ${explanation}${ratcheted ? ' (*)' : ''}`;
}

/** Returns true if a reason refers to the note on ratcheting. */
export function isRatchetingNoted(changes: readonly CrdChange[]): boolean {
  return changes.some(({ ratcheted, waived }) => ratcheted && waived === undefined);
}
