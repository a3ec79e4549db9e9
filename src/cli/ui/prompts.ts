import type { CliContext } from '../command.ts';
import type { FilePlan } from '../../project/scaffold/index.ts';
import { Interrupted } from './interrupted.ts';

/** Settings of a question, apart from its text. */
interface TextQuestion {
  /** Returns the error in an answer; undefined if the answer is valid. The question is repeated until the answer is valid. */
  readonly check: (answer: string) => string | undefined;
  readonly placeholder: string;
  /** Text with which the answer is prefilled. */
  readonly initial?: string;
}

/** Loads the library for prompts only when a prompt is shown, because scripts use flags and need no prompts. */
const prompts = () => import('@clack/prompts');

/**
 * Asks the user for a value; undefined if no prompt is possible.
 * @throws Interrupted if the user cancels the prompt
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
 * Asks the user for a secret. The typed text is not shown. Undefined if no prompt is possible.
 * @throws Interrupted if the user cancels the prompt
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
 * Asks the user a yes-or-no question; undefined if no prompt is possible.
 * @param initial answer if the user presses only Enter
 * @throws Interrupted if the user cancels the prompt
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
 * Asks the user to choose one of several values; undefined if no prompt is possible.
 * @param choices values, each with a hint that helps to choose; Enter selects the first value
 * @throws Interrupted if the user cancels the prompt
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

/** Shows the changes that `--force` makes to existing files. */
export async function reportOverwrites({ report }: CliContext, plan: FilePlan): Promise<void> {
  const { lineDiff } = await import('../../base/util/diffs.ts');
  for (const change of plan.changes) {
    if (change.action !== 'update' || typeof change.content !== 'string') continue;
    report.info(report.paint('strong', `--- ${change.path}`));
    report.info(lineDiff(change.before, change.content));
  }
}
