import type { Finding, Where } from '../../../base/errors/index.ts';
import type { ChangeCode } from './change-codes.ts';
import type { CrdChange } from './change.ts';

/** A change that somebody has looked at and accepts, until a day. */
export interface Waiver {
  readonly code: ChangeCode;
  readonly crd: string;
  /** Undefined: in all versions. */
  readonly version: string | undefined;
  readonly path: string;
  /** Undefined: any. */
  readonly message: string | undefined;
  readonly reason: string;
  /** The last day on which it holds: `2027-01-31`, in UTC. */
  readonly until: string;
  readonly where: Where;
}

export interface WaivedChanges {
  readonly changes: readonly CrdChange[];
  /** `diff/waiver-expired`, `diff/waiver-unused` and `diff/waiver-ambiguous`. */
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
    const about = changes.filter((change) => isAbout(waiver, change));
    if (about.length === 0) return [unused(waiver)];
    return isOneChange(about) ? [] : [ambiguous(waiver, about)];
  });
  const marked = changes.map((change) => {
    const waiver = valid.find((each) => isAbout(each, change));
    if (waiver === undefined) return change;
    return { ...change, waived: { reason: waiver.reason, until: waiver.until } };
  });
  return { changes: marked, warnings };
}

function isAbout({ code, crd, version, path, message }: Waiver, change: CrdChange): boolean {
  return (
    code === change.code &&
    crd === change.crd &&
    path === change.path &&
    (message === undefined || message === change.message) &&
    (version === undefined || version === change.version)
  );
}

/** Returns true if changes are one and the same, in one or several versions. */
function isOneChange(changes: readonly CrdChange[]): boolean {
  const versions = new Set(changes.map(({ version }) => version));
  return versions.size === changes.length && new Set(changes.map(({ message }) => message)).size === 1;
}

function titleOf({ code, crd, version, path, message }: Waiver): string {
  const said = message === undefined ? '' : ` (${message})`;
  return `${code} at ${path} of ${crd}${version === undefined ? '' : ` ${version}`}${said}`;
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
    fix: ['remove it, or correct it: code, crd, version, path and message are those that `-o json` prints'],
  };
}

function ambiguous(waiver: Waiver, changes: readonly CrdChange[]): Finding {
  const messages = [...new Set(changes.map(({ message }) => message))];
  return {
    code: 'diff/waiver-ambiguous',
    message: `the waiver of ${titleOf(waiver)} is about ${changes.length} changes: ${messages.join('; ')}`,
    where: waiver.where,
    fix: ['name the one that is accepted by its `message`, as `-o json` prints it; write a waiver for each'],
  };
}
