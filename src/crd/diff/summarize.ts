import type { CrdChange } from './change.ts';

/** How many changes there are of each kind. */
export interface ChangeSummary {
  readonly breaking: number;
  readonly compatible: number;
}

export function summarize(changes: readonly CrdChange[]): ChangeSummary {
  const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
  return { breaking, compatible: changes.length - breaking };
}

/** `1 breaking change, 12 compatible changes`. */
export function summaryText({ breaking, compatible }: ChangeSummary): string {
  const counted = (count: number, word: string): string =>
    `${count === 0 ? 'no' : count} ${word} change${count === 1 ? '' : 's'}`;
  return `${counted(breaking, 'breaking')}, ${counted(compatible, 'compatible')}`;
}

/** Changes with one heading. */
export interface ChangeGroup {
  readonly crd: string;
  /** Undefined for what belongs to all versions. */
  readonly version: string | undefined;
  /** All but documentation. */
  readonly changes: readonly CrdChange[];
  /** How many changes are documentation, which is counted for people, not listed. */
  readonly documentation: number;
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
  return [...groups.values()].map((group) => {
    const listed = group.filter(({ code }) => code !== 'documentation');
    return {
      crd: group[0]?.crd ?? '',
      version: group[0]?.version,
      changes: listed,
      documentation: group.length - listed.length,
    };
  });
}

/** `stored objects, writers`. */
export function affectedText({ affects }: CrdChange): string {
  return affects.map((who) => (who === 'stored' ? 'stored objects' : who)).join(', ');
}
