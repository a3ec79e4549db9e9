import type { ErrorCode, Finding } from '../../base/errors/index.ts';
import { packageManagersIn } from '../../project/project/index.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/index.ts';
import type { Attempt, DoctorWorld, FactName, Facts } from './facts.ts';

/** Result of a check of `op-sdk doctor`. */
export interface Verdict {
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped';
  /** Result as one line of text. */
  readonly message: string;
  /** Error code; present for warnings and problems. */
  readonly code?: ErrorCode;
  /** Ways to fix the problem: exact commands, or imperative sentences. */
  readonly fix?: readonly string[];
}

/** A check that `op-sdk doctor` makes. It only reads and never writes. */
export interface Check {
  /** Name in the first column of the report: one word, or two words joined by `-`. */
  readonly name: string;
  /** Names of the facts that the check requires. If one of them cannot be determined, the check is skipped and the reason is reported. */
  readonly needs: readonly FactName[];
  /**
   * @param attempt determines facts that the check does not require, or whose failure the check reports itself
   * @throws OpSdkError if the check cannot be made, which is reported as a problem
   */
  run(facts: Facts, world: DoctorWorld, attempt: Attempt): Promise<Verdict>;
}

/** Defines a check. Its `run` function has access only to the facts that the check requires. */
export function defineCheck<N extends FactName>(check: {
  readonly name: string;
  readonly needs: readonly N[];
  run(facts: Pick<Facts, N>, world: DoctorWorld, attempt: Attempt): Promise<Verdict> | Verdict;
}): Check {
  return { ...check, run: async (facts, world, attempt) => check.run(facts, world, attempt) };
}

export const ok = (message: string): Verdict => ({ status: 'ok', message });
export const skipped = (message: string): Verdict => ({ status: 'skipped', message });

export const warning = (code: ErrorCode, message: string, ...fix: readonly string[]): Verdict => ({
  status: 'warning',
  message,
  code,
  fix,
});

export const problem = (code: ErrorCode, message: string, ...fix: readonly string[]): Verdict => ({
  status: 'problem',
  message,
  code,
  fix,
});

/** Converts findings of other modules to one problem. Its message shows the first finding, and the number of the other findings. */
export function problemOf(findings: readonly Finding[], seeAll?: string): Verdict {
  const [first, ...others] = findings;
  if (first === undefined) throw new TypeError('a problem needs a finding');
  const [line = ''] = first.message.split('\n');
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const fix = [...new Set(findings.flatMap((finding) => finding.fix ?? []))];
  return {
    status: 'problem',
    message: `${line}${more}`,
    code: first.code,
    fix: others.length > 0 && seeAll !== undefined ? [`see all of it with \`${seeAll}\``, ...fix] : fix,
  };
}

/**
 * Determines the package manager of a project by its lock files.
 * @returns `lockFiles`: all existing lock files, relative to the project; `name`: the package manager of the first lock file, npm if no
 * lock file exists
 */
export function packageManagerOf(root: string): {
  readonly name: string;
  readonly lockFiles: readonly string[];
} {
  const managers = packageManagersIn(root);
  return { name: managers[0]?.name ?? 'npm', lockFiles: managers.map(({ lockFile }) => lockFile) };
}

/**
 * Compares versions by their three numbers. If the numbers are equal, a pre-release comes before the release. After the first part that is
 * not a number, all numbers count as 0.
 *
 * @param a a version such as `20.19.0`, `v1.36.3+k3s1`, `1.2.3-rc.1`
 * @returns a negative number if `a` is older than `b`, 0 if both are the same, a positive number if `a` is newer
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(right.isPreRelease) - Number(left.isPreRelease);
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly isPreRelease: boolean } {
  const [, major = '0', minor = '0', patch = '0', rest = ''] =
    /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(.*)$/.exec(version) ?? [];
  return { numbers: [major, minor, patch].map(Number), isPreRelease: rest.startsWith('-') };
}

/** Returns the Deployments among the objects of a project. Normally this is only the Deployment of the operator. */
export function deploymentsOf(objects: readonly PlacedObject[]): readonly ManifestObject[] {
  return objects
    .map(({ object }) => object)
    .filter(({ apiVersion, kind }) => apiVersion === 'apps/v1' && kind === 'Deployment');
}
