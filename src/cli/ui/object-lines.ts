import { shortJson, type ObjectOutcome, type ShownChange } from '../../cluster/index.ts';
import { isOpSdkError, type Finding } from '../../base/errors/index.ts';
import type { CliContext, CommandOutcome } from '../command.ts';

/** The exit code of what was interrupted, as everywhere. */
const interruptedCode = 130;

/** Characters of a value: `op-sdk diff` shows all of it. */
const shownCharacters = 80;

/** Outcomes for objects so far, also if the command fails in the end. */
export interface ObjectLog {
  readonly outcomes: readonly ObjectOutcome[];
  /** For the outcome of the command. */
  readonly warnings: readonly Finding[];
  /** Notes an outcome and prints its line, `deployment.apps/web created`. */
  outcome(outcome: ObjectOutcome, title: string): void;
  /** Notes a warning, or prints it at once where the outcome is not one document. */
  warning(finding: Finding): void;
  /**
   * The outcome of a command that ends before its time: `result` beside what is wrong, so that nobody is left in doubt.
   *
   * @throws `error` where nothing has been done to any object, or all of it has been printed
   */
  failed(error: unknown, result: unknown): CommandOutcome;
}

/** Records what was done to objects, and prints a line for each as it comes. What was not found is talk, not a result. */
export function objectLog(
  { print, report, signal }: CliContext,
  options: { readonly dryRun: boolean; readonly json: boolean },
): ObjectLog {
  const outcomes: ObjectOutcome[] = [];
  const warnings: Finding[] = [];
  // kubectl's words.
  const suffix = options.dryRun ? ' (server dry run)' : '';
  return {
    outcomes,
    warnings,
    outcome(outcome, title) {
      outcomes.push(outcome);
      if (outcome.action === 'not-found') report.info(`${title} not found`);
      else if (outcome.action === 'pruned' && options.dryRun) print(`${title} would be pruned`);
      else print(`${title} ${outcome.action}${suffix}`);
      for (const line of detailsOf(outcome)) print(`  ${line}`);
    },
    warning(finding) {
      if (options.json) warnings.push(finding);
      // Whoever waits minutes for a rollout wants to know before.
      else report.warn(finding);
    },
    failed(error, result) {
      if (outcomes.length === 0) throw error;
      if (options.json && signal.aborted) {
        const interrupted = { code: 'cli/interrupted', message: 'interrupted' } as const;
        return { result, warnings, errors: [interrupted], exitCode: interruptedCode };
      }
      if (signal.aborted || !isOpSdkError(error)) throw error;
      return { result, warnings, errors: error.findings };
    },
  };
}

function detailsOf({ changes = [], takesOver = [] }: ObjectOutcome): readonly string[] {
  return [...takeOverLines(takesOver), ...changes.map(changeLine)];
}

/** @param managers those of client-side apply */
export function takeOverLines(managers: readonly string[]): readonly string[] {
  return managers.length === 0 ? [] : [`takes over the fields of ${managers.join(' and ')}`];
}

function changeLine({ path, before, after }: ShownChange): string {
  const text = (value: unknown): string => shortJson(value, shownCharacters);
  if (before === undefined) return `+ ${path}: ${text(after)}`;
  return after === undefined ? `- ${path}: ${text(before)}` : `~ ${path}: ${text(before)} → ${text(after)}`;
}
