import { join, relative, sep } from 'node:path';
import type { FilePlan } from '../../../project/scaffold/plan.ts';
import type { CliContext } from '../../command.ts';
import { applyInLock, inProjectLock } from '../../project-lock.ts';

/** Change, done or planned, of each file: the JSON result of every command that writes. */
export interface PlanResult {
  readonly dryRun: boolean;
  readonly files: readonly { readonly action: string; readonly path: string }[];
}

/**
 * Makes a plan and carries it out while no other command writes into the folder, which need not be of this project, nor of any. What an
 * interrupted command left is settled before: a plan that was made earlier would not fit.
 * @param folder absolute; it need not exist
 * @throws OpSdkError as {@link carryOut}
 */
export async function planAndCarryOut(
  context: CliContext,
  folder: string,
  options: { readonly dryRun: boolean },
  plan: (context: CliContext) => Promise<FilePlan>,
): Promise<PlanResult> {
  return inProjectLock(context, { folder, writes: !options.dryRun }, async (locked) =>
    carryOut(locked, await plan(locked), options),
  );
}

/**
 * Carries a plan out, or only tells what it would do, and lists the files on stderr.
 * @throws OpSdkError `io/cannot-write`; no file has been changed then
 */
export async function carryOut(
  context: CliContext,
  plan: FilePlan,
  options: { readonly dryRun: boolean },
): Promise<PlanResult> {
  if (!options.dryRun) await applyInLock(context, plan);
  const { report } = context;
  for (const { action, path } of plan.changes) {
    if (action === 'unchanged') continue;
    const shown = relative(context.cwd, join(plan.root, path)).split(sep).join('/');
    report.info(`${report.paint(action === 'delete' ? 'warning' : 'good', action.padEnd(6))}  ${shown}`);
  }
  const unchanged = plan.changes.filter((change) => change.action === 'unchanged').length;
  if (unchanged > 0) report.info(report.paint('dim', `${unchanged} unchanged`));
  if (options.dryRun) report.info('dry run: nothing was written');
  return { dryRun: options.dryRun, files: plan.changes.map(({ action, path }) => ({ action, path })) };
}
