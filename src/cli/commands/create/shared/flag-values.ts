import type { Finding, FindingList } from '../../../../errors/index.ts';
import type { NameCheck } from '../../../../project/index.ts';
import type { CliContext } from '../../../command.ts';
import { Interrupted } from '../../../interrupted.ts';

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

export interface Question {
  readonly check: NameCheck;
  readonly placeholder: string;
}

/**
 * Asks a person for a value; undefined where nobody can be asked.
 * @throws Interrupted if the person gives up
 */
export async function ask(
  context: CliContext,
  message: string,
  question: Question,
): Promise<string | undefined> {
  if (!context.interactive) return undefined;
  const { isCancel, text } = await import('@clack/prompts');
  const answer = await text({
    message,
    placeholder: question.placeholder,
    validate: (value) => question.check(value ?? ''),
    output: process.stderr,
    signal: context.signal,
  });
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}

/**
 * Asks a person yes or no; undefined where nobody can be asked.
 * @throws Interrupted if the person gives up
 */
export async function askYesOrNo(context: CliContext, message: string): Promise<boolean | undefined> {
  if (!context.interactive) return undefined;
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message, output: process.stderr, signal: context.signal });
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}
