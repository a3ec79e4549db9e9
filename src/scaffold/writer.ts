import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FindingList, isOpSdkError, OpSdkError, type Finding } from '../errors/index.ts';
import { errnoOf, errnoText, pathExists } from '../util/fs.ts';
import type { FileChange, FilePlan } from './plan.ts';
import { resolveInside } from './safe-path.ts';

type Change = Exclude<FileChange, { action: 'unchanged' }>;

/** A change with the places it needs on disk. */
interface Step {
  readonly change: Change;
  /** Absolute. */
  readonly target: string;
  /** The new content, complete, beside the target. */
  readonly fresh: string;
  /** A copy of the former content, beside the target. */
  readonly backup: string;
}

/**
 * Carries a plan out, wholly or not at all: every file is first written beside its target, then all are renamed into
 * place; if anything fails on the way, all that was done is undone.
 *
 * @throws OpSdkError `scaffold/file-exists`, `scaffold/file-changed` or `scaffold/outside-project` for every file
 *   concerned, or `io/cannot-write` with the operating system's reason; nothing has been changed then
 */
export async function applyPlan(plan: FilePlan): Promise<void> {
  const steps = await check(plan);
  const undo: Undo[] = [];
  let current = '';
  try {
    for (const step of steps) {
      current = step.change.path;
      await prepare(step, undo);
    }
    for (const step of steps) {
      current = step.change.path;
      await commit(step, undo);
    }
  } catch (error) {
    await rollBack(undo, current, error);
    throw isOpSdkError(error) ? error : cannotWrite(current, error);
  }
  await Promise.all(steps.map((step) => rm(step.backup, { force: true })));
}

/** Undoes one action; the list of them is worked off from its end. */
interface Undo {
  /** The file that is lost if this fails; absent if only litter would remain. */
  readonly path?: string;
  run(): Promise<void>;
}

async function check(plan: FilePlan): Promise<readonly Step[]> {
  const findings = new FindingList();
  const steps: Step[] = [];
  for (const change of plan.changes) {
    if (change.action === 'unchanged') continue;
    const resolved = await resolveInside(plan.root, change.path);
    if ('finding' in resolved) {
      findings.add(resolved.finding);
      continue;
    }
    const { target } = resolved;
    const conflict = await conflictOf(change, target);
    if (conflict !== undefined) findings.add(conflict);
    const beside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
    steps.push({ change, target, fresh: `${beside}.new`, backup: `${beside}.old` });
  }
  findings.throwIfAny();
  return steps;
}

async function conflictOf(change: Change, target: string): Promise<Finding | undefined> {
  const where = { file: change.path };
  if (change.action === 'create') {
    return (await pathExists(target))
      ? {
          code: 'scaffold/file-exists',
          message: `${change.path} exists already`,
          where,
          fix: ['move it away and run the command again'],
        }
      : undefined;
  }
  try {
    if ((await readFile(target, 'utf8')) === change.before) return undefined;
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') {
      return {
        code: 'io/cannot-read',
        message: `${change.path} cannot be read: ${errnoText(error)}`,
        where,
        fix: ['check its permissions'],
      };
    }
  }
  return {
    code: 'scaffold/file-changed',
    message: `${change.path} was changed by somebody else while the command ran`,
    where,
    fix: ['run the command again'],
  };
}

/** Does all that can fail for want of space or permission, without touching the targets. */
async function prepare({ change, target, fresh, backup }: Step, undo: Undo[]): Promise<void> {
  await makeFolders(dirname(target), undo);
  const removeLater = (path: string): void => void undo.push({ run: () => rm(path, { force: true }) });

  let mode = change.action === 'create' && change.executable === true ? 0o777 : 0o666;
  if (change.action !== 'create') {
    removeLater(backup);
    await copyFile(target, backup);
    mode = (await stat(target)).mode & 0o7777;
    await chmod(backup, mode);
  }
  if (change.action === 'delete') return;
  removeLater(fresh);
  await writeFile(fresh, change.content, { flag: 'wx', mode });
  // An existing file keeps its mode whatever the umask is.
  if (change.action === 'update') await chmod(fresh, mode);
}

async function commit({ change, target, fresh, backup }: Step, undo: Undo[]): Promise<void> {
  // Between the check and now somebody may have written: look once more right before the file changes.
  const conflict = await conflictOf(change, target);
  if (conflict !== undefined) throw new OpSdkError(conflict);
  if (change.action === 'delete') await rm(target);
  else await rename(fresh, target);
  undo.push({
    path: change.path,
    run: () => (change.action === 'create' ? rm(target, { force: true }) : rename(backup, target)),
  });
}

async function rollBack(undo: readonly Undo[], path: string, cause: unknown): Promise<void> {
  const lost: string[] = [];
  for (const action of undo.toReversed()) {
    try {
      await action.run();
    } catch {
      // The cause is reported below; each failure here means one more file that stays as it is now.
      if (action.path !== undefined) lost.push(action.path);
    }
  }
  if (lost.length === 0) return;
  throw new OpSdkError(
    {
      code: 'scaffold/rollback-failed',
      message: `${path} cannot be written (${errnoText(cause)}), and these files could not be put back: ${lost.join(', ')}`,
      where: { file: lost[0] ?? path },
      fix: ['look for copies of the former files beside them, named .<file>.<random>.old'],
    },
    { cause },
  );
}

/** Makes the missing folders above a file one by one, so that each can be undone. */
async function makeFolders(folder: string, undo: Undo[]): Promise<void> {
  if (await pathExists(folder)) return;
  await makeFolders(dirname(folder), undo);
  await mkdir(folder);
  undo.push({ run: () => rmdir(folder) });
}

function cannotWrite(path: string, cause: unknown): OpSdkError {
  if (errnoOf(cause) === undefined) throw cause;
  return new OpSdkError(
    {
      code: 'io/cannot-write',
      message: `${path} cannot be written: ${errnoText(cause)}; nothing was changed`,
      where: { file: path },
      fix: ['see that the folder can be written to and the disk has room, and run the command again'],
    },
    { cause },
  );
}
