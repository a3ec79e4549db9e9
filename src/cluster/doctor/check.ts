import type { ErrorCode, Finding } from '../../base/errors/index.ts';
import { packageManagersIn } from '../../project/project/index.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/index.ts';
import type { Attempt, DoctorWorld, FactName, Facts } from './facts.ts';

/** Result of a check. */
export interface Verdict {
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped';
  /** One line. */
  readonly message: string;
  /** Error code; present for warnings and problems. */
  readonly code?: ErrorCode;
  /** Exact commands, or imperative sentences. */
  readonly fix?: readonly string[];
}

/** One thing that `op-sdk doctor` looks at. It reads and never writes. */
export interface Check {
  /** One word or two, joined by `-`: the first column of the report. */
  readonly name: string;
  /** Required facts: if one is missing, the check is skipped with the reason. */
  readonly needs: readonly FactName[];
  /**
   * @param attempt for facts that are optional for the check, or its subject
   * @throws OpSdkError if the check cannot be made, which counts as a problem
   */
  run(facts: Facts, world: DoctorWorld, attempt: Attempt): Promise<Verdict>;
}

/** Defines a check that can only read the facts that it needs. */
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

/** Converts findings of other modules to a problem: the first in full, the others counted. */
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
 * The package manager of a project, recognized by its lock file.
 * @returns `lockFiles`: all that are there, relative to the project; `name`: the manager of the first, npm if there is none
 */
export function packageManagerOf(root: string): {
  readonly name: string;
  readonly lockFiles: readonly string[];
} {
  const managers = packageManagersIn(root);
  return { name: managers[0]?.name ?? 'npm', lockFiles: managers.map(({ lockFile }) => lockFile) };
}

/**
 * Orders versions by their three numbers; of equal ones, a pre-release comes first. Numbers after the first missing one
 * count as 0.
 *
 * @param a such as `20.19.0`, `v1.36.3+k3s1`, `1.2.3-rc.1`
 * @returns negative if `a` is older than `b`, 0 if they are the same, positive if it is newer
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

/** The Deployments among the objects of a project: the operator, as a rule the only one. */
export function deploymentsOf(objects: readonly PlacedObject[]): readonly ManifestObject[] {
  return objects
    .map(({ object }) => object)
    .filter(({ apiVersion, kind }) => apiVersion === 'apps/v1' && kind === 'Deployment');
}
