import { diffCrds } from '../../../../../src/kubernetes/crd/diff/diff-crds.ts';
import { readDefinitions } from '../../../../../src/kubernetes/crd/diff/read-definitions.ts';
import type { CrdChange } from '../../../../../src/kubernetes/crd/diff/change.ts';

/** What changes from one definition to another; undefined if the API server refuses one of them. */
export function compareDefinitions(old: object, now: object): readonly CrdChange[] | undefined {
  const [before, after] = [old, now].map((value) =>
    readDefinitions([{ value, locate: () => ({ file: 'x' }) }], 'new'),
  );
  if (before === undefined || after === undefined) return undefined;
  if (before.findings.length + after.findings.length > 0) return undefined;
  return diffCrds(before.definitions, after.definitions);
}

/** Whether all of a value is in another, which may have more fields. */
export function isKept(value: unknown, other: unknown): boolean {
  if (Array.isArray(value))
    return (
      Array.isArray(other) &&
      value.length === other.length &&
      value.every((item, i) => isKept(item, other[i]))
    );
  if (typeof value !== 'object' || value === null) return value === other;
  return (
    typeof other === 'object' &&
    other !== null &&
    Object.entries(value).every(([key, item]) => isKept(item, (other as Record<string, unknown>)[key]))
  );
}
