import {
  shortJson,
  type ObjectOutcome,
  type ShownChange,
  type DiffAction,
  type ObjectDiff,
} from '../../cluster/index.ts';
import { isOpSdkError, type Finding } from '../../base/errors/index.ts';
import type { CliContext, CommandOutcome } from '../command.ts';
import type { JsonMap } from '../../base/util/json-map.ts';
import { printable, printableLine } from '../../base/util/terminal-words.ts';
import { unifiedDiff } from '../../base/util/diffs.ts';
import { toYaml } from '../../kubernetes/yaml/index.ts';

/** Exit code of an interrupted command. */
export const interruptedCode = 130;

/** Maximum number of characters of a value in an output line. `op-sdk diff` shows the complete value. */
const shownCharacters = 80;

/** Log of the outcome for each object that a command has handled so far. It is also available if the command fails later. */
export interface ObjectLog {
  readonly outcomes: readonly ObjectOutcome[];
  /** Warnings for the outcome of the command. */
  readonly warnings: readonly Finding[];
  /** Records an outcome and prints its line, such as `deployment.apps/web created`. */
  outcome(outcome: ObjectOutcome, title: string): void;
  /** With `-o json`, records a warning for the document; otherwise prints the warning at once. */
  warning(finding: Finding): void;
  /**
   * Returns the outcome of a command that failed midway. The outcome contains `result` together with the errors, so that the changes so far
   * are reported.
   *
   * @throws `error` if no object has been changed, or if all changes have already been printed
   */
  failed(error: unknown, result: unknown): CommandOutcome;
}

/**
 * Creates a log that records the outcome of each object, and prints its line at once. Objects that were not found are reported on stderr,
 * not as a result.
 */
export function objectLog(
  { print, report, signal }: CliContext,
  options: { readonly dryRun: boolean; readonly json: boolean },
): ObjectLog {
  const outcomes: ObjectOutcome[] = [];
  const warnings: Finding[] = [];
  // kubectl uses the same words.
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

/** Returns a line that names the field managers whose fields are taken over. @param managers field managers of client-side apply */
function takeOverLines(managers: readonly string[]): readonly string[] {
  return managers.length === 0 ? [] : [`takes over the fields of ${managers.join(' and ')}`];
}

function changeLine({ path, before, after }: ShownChange): string {
  const text = (value: unknown): string => shortJson(value, shownCharacters);
  if (before === undefined) return `+ ${path}: ${text(after)}`;
  return after === undefined ? `- ${path}: ${text(before)}` : `~ ${path}: ${text(before)} → ${text(after)}`;
}

/** Actions in the order of the summary line, with the words that the summary uses for them. */
const words: Readonly<Record<DiffAction, string>> = {
  created: 'created',
  changed: 'changed',
  pruned: 'pruned',
  'not-compared': 'not compared',
  unchanged: 'unchanged',
};

/**
 * Formats differences for people and for tools that read patches: a line for each object, followed by its difference, and a summary at the
 * end.
 */
export function objectDiffsText(diffs: readonly ObjectDiff[]): string {
  return `${diffs.map(objectText).join('')}${summaryText(diffs)}\n`;
}

/** Returns the document with the object differences for `-o json`. */
export function objectDiffResult(diffs: readonly ObjectDiff[]): object {
  return {
    created: count(diffs, 'created'),
    changed: count(diffs, 'changed'),
    pruned: count(diffs, 'pruned'),
    notCompared: count(diffs, 'not-compared'),
    unchanged: count(diffs, 'unchanged'),
    objects: diffs.map(({ object, action, takesOver, changes, after }) => ({
      apiVersion: object.resource.apiVersion,
      kind: object.resource.kind,
      ...object.key,
      action,
      ...(takesOver.length === 0 ? {} : { takesOver }),
      ...(action === 'created' ? { object: after } : {}),
      ...(action === 'changed' ? { changes } : {}),
    })),
  };
}

function objectText({ object, action, takesOver, before, after }: ObjectDiff): string {
  const { namespace } = object.key;
  const why = action === 'not-compared' ? notCompared : [];
  const details = [...takeOverLines(takesOver), ...why].map((line) => `  ${line}\n`);
  const head = `${printableLine(object.title)} ${words[action]}\n${details.join('')}`;
  if (action === 'unchanged' || action === 'not-compared') return head;
  const name = printableLine(`${namespace === undefined ? '' : `${namespace}/`}${object.title}`);
  const difference = unifiedDiff(
    { name: `cluster/${name}`, text: yamlText(before) },
    { name: `manifest/${name}`, text: yamlText(after) },
  );
  return `${head}${difference}`;
}

const notCompared = [
  'only a deploy shows what it would be: its CustomResourceDefinition changes, or a webhook does not know dry runs',
];

const yamlText = (value: JsonMap | undefined): string | undefined => value && printable(toYaml(value));

function summaryText(diffs: readonly ObjectDiff[]): string {
  const actions = Object.keys(words) as DiffAction[];
  const parts = actions.flatMap((action) => {
    const found = count(diffs, action);
    return found === 0 ? [] : [`${found} ${words[action]}`];
  });
  return parts.join(', ');
}

function count(diffs: readonly ObjectDiff[], wanted: DiffAction): number {
  return diffs.filter(({ action }) => action === wanted).length;
}

/** Formats rows as a text table. Each column is as wide as its widest cell; the first row is the heading. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
