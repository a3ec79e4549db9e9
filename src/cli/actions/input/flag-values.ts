import type { Finding, FindingList } from '../../../errors/index.ts';
import type { NameCheck } from '../../../project/index.ts';

/** Notes a finding if the value of a flag fails its check. An absent value passes. */
export function checkFlag(
  findings: FindingList,
  flag: string,
  value: string | undefined,
  check: NameCheck,
  fix: readonly string[],
): void {
  const problem = value === undefined ? undefined : check(value);
  if (problem === undefined) return;
  findings.add({
    code: 'cli/invalid-value',
    message: `${flag} is ${JSON.stringify(value)}: ${problem}`,
    where: { flag },
    fix,
  });
}

/** The finding for a flag without which the command cannot go on. */
export function missingFlag(flag: string, message: string, fix: readonly string[]): Finding {
  return { code: 'cli/missing-value', message, where: { flag }, fix };
}
