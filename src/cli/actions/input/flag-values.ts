import type { Finding, FindingList } from '../../../base/errors/index.ts';
import type { NameCheck } from '../../../project/project/index.ts';

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
  findings.add(invalidFlag(flag, `${flag} is ${JSON.stringify(value)}: ${problem}`, ...fix));
}

/** The finding for a flag or an argument, such as `[folder]`, without which the command cannot go on. */
export function missingFlag(flag: string, message: string, ...fix: readonly string[]): Finding {
  return { code: 'cli/missing-value', message, where: { flag }, fix };
}

/** The finding for a flag or an argument whose value is not allowed. */
export function invalidFlag(flag: string, message: string, ...fix: readonly string[]): Finding {
  return { code: 'cli/invalid-value', message, where: { flag }, fix };
}

/** The finding for two flags that cannot both be given. */
export function exclusiveFlags(flag: string, other: string): Finding {
  return invalidFlag(flag, `${flag} and ${other} exclude each other`, 'leave one of them out');
}
