import { isOpSdkError, type Finding } from '../../../base/errors/index.ts';
import { createSourceMemory } from '../../../compiler/schema/index.ts';
import { observe } from '../../../base/util/observe-files.ts';
import { nextChange } from '../../../base/util/watch-observed.ts';
import { countText } from '../../../base/util/words.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import { inProjectLock } from '../../project-lock.ts';
import { reportWarnings } from '../../ui/reporter.ts';
import type { PlanResult } from '../files/apply-plan.ts';
import { generateAndRender, type MadeManifests, type MadeOptions } from './made-manifests.ts';

/** Function that writes the manifests which one run of the watch has generated. */
type WriteManifests = (
  context: CliContext,
  made: MadeManifests,
) => Promise<{ readonly result?: unknown; readonly warnings?: readonly Finding[] }>;

/**
 * Generates manifests now, and again whenever a file changes that the last run has read, until the signal aborts. If a run has errors, the
 * errors are reported, nothing is written, and the watch continues.
 */
export async function watchManifests(
  context: CliContext,
  options: MadeOptions,
  write: WriteManifests,
): Promise<CommandOutcome> {
  const { report, signal } = context;
  const memory = createSourceMemory();
  let runs = 0;
  for (let again = true; again;) {
    // The first line and the last line of each run are stable: they begin and end the task of an editor, as in the scaffolded tasks.json.
    report.step('generating manifests');
    const observed = observe();
    const began = performance.now();
    const { line, warnings } = await runOnce(context, write, () =>
      generateAndRender({ ...options, files: observed.view, memory }),
    );
    runs += 1;
    const seconds = ((performance.now() - began) / 1000).toFixed(2);
    reportWarnings(report, warnings);
    report.info(`${line} (${seconds} s); waiting for changes, Ctrl-C ends`);
    const seen = observed.observations();
    // `seen` is undefined if a file changed while it was read. In that case the next run starts at once.
    again = seen === undefined ? !signal.aborted : await nextChange(seen, signal);
  }
  return { result: { runs } };
}

interface Run {
  readonly line: string;
  readonly warnings: readonly Finding[];
}

async function runOnce(
  context: CliContext,
  write: WriteManifests,
  generate: () => Promise<MadeManifests>,
): Promise<Run> {
  const silent: CliContext = { ...context, report: { ...context.report, info: () => undefined } };
  try {
    const { result, warnings = [] } = await inProjectLock(silent, { writes: true }, async (locked) =>
      write(locked, await generate()),
    );
    return { line: lineOf(result as PlanResult), warnings };
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    for (const finding of error.findings) context.report.error(finding);
    return { line: `${countText(error.findings.length, 'error')}, nothing written`, warnings: [] };
  }
}

function lineOf({ files }: PlanResult): string {
  const changed = files.filter(({ action }) => action !== 'unchanged');
  if (changed.length === 0) return `${files.length} unchanged`;
  return changed.map(({ action, path }) => `${action} ${path}`).join(', ');
}
