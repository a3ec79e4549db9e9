import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { coveredBy, covers, isOpenEnded, simplify, targetKey, type Grant } from './grant.ts';
import { accessKey, type AccessObject } from './read-access.ts';

/** One thing that is granted on one side and not on the other. */
export interface AccessChange {
  /** `widened`: granted by NEW only; `narrowed`: granted by OLD only. */
  readonly change: 'widened' | 'narrowed';
  /** The role or the binding. */
  readonly object: Pick<AccessObject, 'kind' | 'name' | 'namespace'>;
  readonly grant: Grant;
  /** A `*` is in it: it also grants what exists only later. */
  readonly openEnded: boolean;
  /** The part of it that the other side grants too, of what is without an end: the verbs that had been listed instead of `*`. */
  readonly granted: readonly Grant[];
}

/**
 * Compares what two sets of RBAC objects grant, by object. Permissions count, not the form of the rules: what another rule of the same
 * object includes does not count. Sorted by object, then by what is granted, widened first.
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
    const { kind, name, namespace } = object;
    const identity = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
    return diffGrants(old.get(key)?.grants ?? [], now.get(key)?.grants ?? []).map((each) => ({
      ...each,
      object: identity,
      openEnded: isOpenEnded(each.grant),
    }));
  });
}

type GrantChange = Pick<AccessChange, 'change' | 'grant' | 'granted'>;

/** Grants that only one of two lists has, simplified. */
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

/** Number of changes of each kind. */
export interface AccessSummary {
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
