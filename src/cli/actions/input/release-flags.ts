import { releaseFields, type ReleaseFields } from '../../../olm/bundle/index.ts';
import type { FindingList } from '../../../base/errors/index.ts';
import { commaList } from './comma-list.ts';
import { checkFlag } from './flag-values.ts';

/** Parsed flags `--replaces`, `--skips`, `--skip-range` and `--min-kube-version`. */
export type ReleaseOptions = Readonly<Partial<Record<keyof ReleaseFields, string>>>;

/** The values of the flags that say what a release is the update of; what is wrong with them is noted. */
export function readReleaseFlags(findings: FindingList, options: ReleaseOptions): ReleaseFields {
  const given = releaseFields.flatMap(({ key, flag, isList, check, fix }) => {
    const value = options[key];
    if (value === undefined) return [];
    const items = isList ? commaList(value) : [value];
    // An empty list would leave the one of the base as it is, and look as if it had cleared it.
    for (const item of items.length === 0 ? [''] : items) checkFlag(findings, flag, item, check, [fix]);
    return [[key, isList ? items : value] as const];
  });
  return Object.fromEntries(given);
}
