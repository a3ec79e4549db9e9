import { relative, resolve, sep } from 'node:path';
import { layout } from '../project/project/index.ts';
import {
  type FilePlan,
  type Recovery,
  isInside,
  projectAround,
  withProjectLock,
  applyPlan,
} from '../project/scaffold/index.ts';
import { existingAncestor } from './actions/files/output-place.ts';
import type { CliContext, LockedPlace } from './command.ts';

/**
 * Applies a plan and journals its writes. If the lock that the command holds covers all files of the plan, the writes are journaled under
 * that lock, otherwise under the lock of the project around the plan's folder. Outside a project, nothing is journaled.
 */
export async function applyInLock(context: CliContext, plan: FilePlan): Promise<void> {
  const { lock } = context;
  const own = lock === undefined ? undefined : below(lock.root, plan);
  if (own !== undefined) return applyPlan(own, { journal: lock?.journal });
  if ((await projectAround(plan.root)) === undefined) return applyPlan(plan);
  return inProjectLock(context, { writes: true, folder: plan.root }, (locked) =>
    applyPlan(plan, { journal: locked.lock?.journal }),
  );
}

/**
 * Converts the paths of a plan so that they are relative to the folder of the lock; undefined if the plan has files outside of that folder.
 */
function below(root: string, plan: FilePlan): FilePlan | undefined {
  if (isInside(root, plan.root)) return plan;
  if (!isInside(plan.root, root)) return undefined;
  const changes = plan.changes.map((change) => ({
    ...change,
    path: relative(root, resolve(plan.root, change.path)).split(sep).join('/'),
  }));
  return changes.every(({ path }) => isInside(root, resolve(root, path)))
    ? { ...plan, root, changes }
    : undefined;
}

/**
 * Runs `work` while no other command writes into the project. A folder without a project has its own lock; a folder that does not exist yet
 * uses the lock of its nearest existing ancestor.
 *
 * @param options.folder absolute path; default: working directory of the command
 * @param options.onRepeated receives the recovered writes of an interrupted command, if that command was the same as this one and all its
 * writes are now finished
 * @throws OpSdkError `scaffold/project-locked`, `scaffold/interrupted-write`
 */
export async function inProjectLock<T>(
  context: CliContext,
  options: {
    readonly place?: LockedPlace;
    readonly writes: boolean;
    readonly folder?: string;
    readonly onRepeated?: (recovery: Recovery) => void;
  },
  work: (context: CliContext) => Promise<T>,
): Promise<T> {
  const { report, signal, command, request, lock, cwd } = context;
  const { folder = cwd, writes } = options;
  if (lock !== undefined && isInside(lock.root, folder)) return work(context);
  const root =
    options.place === 'here' ? folder : ((await projectAround(folder)) ?? existingAncestor(folder));
  const text = (seconds: number): string => (seconds < 1 ? '' : ` (${seconds} s)`);
  return withProjectLock(
    root,
    {
      command,
      request,
      writes,
      signal,
      onWait: ({ purpose = 'op-sdk', pid }, waited) =>
        report.step(`waiting for \`${purpose}\` (pid ${pid})${text(Math.round(waited / 1000))}`),
      onCopied: ({ purpose = 'op-sdk', pid, host }) =>
        report.warned(
          `removed the lock of \`${purpose}\` (pid ${pid} on ${host}), which came with the files from another machine; if it is in git, remove it there: git rm --cached -r ${layout.state}`,
        ),
      onRecovery: (recovery) => {
        const { outcome, command: interrupted, files } = recovery;
        if (outcome === 'finished' && recovery.isRepeated) options.onRepeated?.(recovery);
        const changed = files.length === 0 ? '' : `: ${files.join(', ')}`;
        report.warned(`${outcome} what \`${interrupted}\` left when it was interrupted${changed}`);
      },
    },
    (journal) => work({ ...context, lock: { root, journal } }),
  );
}
