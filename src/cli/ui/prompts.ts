import type { CliContext } from '../command.ts';
import type { FilePlan } from '../../project/scaffold/index.ts';
import { Interrupted } from './interrupted.ts';

/** Settings of a question beside its text. */
interface TextQuestion {
  /** Returns the error in an answer; undefined if there is none. The question is asked again until then. */
  readonly check: (answer: string) => string | undefined;
  readonly placeholder: string;
  /** Text with which the answer is prefilled. */
  readonly initial?: string;
}

/** Loaded only for prompts: scripts use flags, and need not load it. */
const prompts = () => import('@clack/prompts');

/**
 * Asks a person for a value; undefined where nobody can be asked.
 * @throws Interrupted if the person gives up
 */
export async function ask(
  context: CliContext,
  message: string,
  { check, placeholder, initial }: TextQuestion,
): Promise<string | undefined> {
  if (!context.interactive) return undefined;
  const { isCancel, text } = await prompts();
  const answer = await text({
    message,
    placeholder,
    ...(initial === undefined ? {} : { initialValue: initial }),
    validate: (value = '') => check(value),
    output: process.stderr,
    signal: context.signal,
  });
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}

/**
 * Asks a person for a secret, which is not shown; undefined where nobody can be asked.
 * @throws Interrupted if the person gives up
 */
export async function askSecret(context: CliContext, message: string): Promise<string | undefined> {
  if (!context.interactive) return undefined;
  const { isCancel, password } = await prompts();
  const answer = await password({
    message,
    validate: (value = '') => (value === '' ? 'expected a password' : undefined),
    output: process.stderr,
    signal: context.signal,
  });
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}

/**
 * Asks a person yes or no; undefined where nobody can be asked.
 * @param initial the answer that Enter gives
 * @throws Interrupted if the person gives up
 */
export async function askYesOrNo(
  context: CliContext,
  message: string,
  initial = true,
): Promise<boolean | undefined> {
  if (!context.interactive) return undefined;
  const { confirm, isCancel } = await prompts();
  const answer = await confirm({
    message,
    initialValue: initial,
    output: process.stderr,
    signal: context.signal,
  });
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}

/**
 * Asks a person to choose; undefined where nobody can be asked.
 * @param choices each with what helps to choose; Enter gives the first
 * @throws Interrupted if the person gives up
 */
export async function askChoice<T extends string>(
  context: CliContext,
  message: string,
  choices: readonly { readonly value: T; readonly hint: string }[],
): Promise<T | undefined> {
  if (!context.interactive) return undefined;
  const { isCancel, select } = await prompts();
  const answer = await select<string>({
    message,
    options: choices.map(({ value, hint }) => ({ value, label: value, hint })),
    output: process.stderr,
    signal: context.signal,
  });
  if (isCancel(answer)) throw new Interrupted();
  return choices.find(({ value }) => value === answer)?.value;
}

/** Shows what `--force` changes in files that are there. */
export async function reportOverwrites({ report }: CliContext, plan: FilePlan): Promise<void> {
  const { lineDiff } = await import('../../base/util/diffs.ts');
  for (const change of plan.changes) {
    if (change.action !== 'update') continue;
    report.info(report.paint('strong', `--- ${change.path}`));
    report.info(lineDiff(change.before, change.content));
  }
}
