import type { Finding, Where } from '../../errors/index.ts';
import type { ChangeCode } from './change-codes.ts';
import type { CrdChange } from './change.ts';

/** A change that somebody has looked at and accepts, until a day. */
export interface Waiver {
  readonly code: ChangeCode;
  readonly crd: string;
  /** Undefined: in all versions. */
  readonly version: string | undefined;
  readonly path: string;
  readonly reason: string;
  /** The last day on which it holds: `2027-01-31`, in UTC. */
  readonly until: string;
  readonly where: Where;
}

export interface WaivedChanges {
  readonly changes: readonly CrdChange[];
  /** `diff/waiver-expired` and `diff/waiver-unused`. */
  readonly warnings: readonly Finding[];
}

/**
 * Marks the changes that waivers are about. A waiver that has expired marks nothing, so that its change counts again.
 * @param today as in {@link Waiver}
 */
export function waiveChanges(
  changes: readonly CrdChange[],
  waivers: readonly Waiver[],
  today: string,
): WaivedChanges {
  const valid = waivers.filter(({ until }) => until >= today);
  const warnings = waivers.flatMap((waiver): readonly Finding[] => {
    if (waiver.until < today) return [expired(waiver)];
    return changes.some((change) => isAbout(waiver, change)) ? [] : [unused(waiver)];
  });
  const marked = changes.map((change) => {
    const waiver = valid.find((each) => isAbout(each, change));
    if (waiver === undefined) return change;
    return { ...change, waived: { reason: waiver.reason, until: waiver.until } };
  });
  return { changes: marked, warnings };
}

function isAbout({ code, crd, version, path }: Waiver, change: CrdChange): boolean {
  return (
    code === change.code &&
    crd === change.crd &&
    path === change.path &&
    (version === undefined || version === change.version)
  );
}

function titleOf({ code, crd, version, path }: Waiver): string {
  return `${code} at ${path} of ${crd}${version === undefined ? '' : ` ${version}`}`;
}

function expired(waiver: Waiver): Finding {
  return {
    code: 'diff/waiver-expired',
    message: `the waiver of ${titleOf(waiver)} expired on ${waiver.until}`,
    where: waiver.where,
    fix: ['remove it, or decide again and set another date'],
  };
}

function unused(waiver: Waiver): Finding {
  return {
    code: 'diff/waiver-unused',
    message: `the waiver of ${titleOf(waiver)} is about no change`,
    where: waiver.where,
    fix: ['remove it, or correct it: code, crd, version and path are those that `-o json` prints'],
  };
}
