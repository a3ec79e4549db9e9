import type { ErrorCode, Finding } from '../../base/errors/index.ts';
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
  /** Facts without which there is nothing to look at: the check is skipped then, with the reason. */
  readonly needs: readonly FactName[];
  /**
   * @param attempt for facts that the check can do without, or is about
   * @throws OpSdkError what keeps the check from being made; it is a problem then
   */
  run(facts: Facts, world: DoctorWorld, attempt: Attempt): Promise<Verdict>;
}

/** A check that may read the facts that it needs, and no others. */
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

/** Findings of other rooms as a problem: the first in full, the others counted. */
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
