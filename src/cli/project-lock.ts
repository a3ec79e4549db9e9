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

/** Applies a plan, and keeps account of it where the lock is held: in the project that its folder belongs to, or in the folder itself. */
export async function applyInLock(context: CliContext, plan: FilePlan): Promise<void> {
  const { lock } = context;
  const own = lock === undefined ? undefined : below(lock.root, plan);
  if (own !== undefined) return applyPlan(own, { journal: lock?.journal });
  if ((await projectAround(plan.root)) === undefined) return applyPlan(plan);
  return inProjectLock(context, { writes: true, folder: plan.root }, (locked) =>
    applyPlan(plan, { journal: locked.lock?.journal }),
  );
}

/** The plan as one of the folder of the lock; undefined if it is about files outside of that. */
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
 * Does a piece of work while no other command writes into the project. A folder without a project has a lock of its own; the lock of a
 * folder that does not exist yet is that of the one around it.
 *
 * @param options.folder absolute; default: that of the command
 * @param options.onRepeated receives what an interrupted command left, if it was this one and all of it is finished now
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
