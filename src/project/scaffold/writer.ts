import { isUtf8 } from 'node:buffer';
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { FindingList, isOpSdkError, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { errnoOf, errnoText, pathExists } from '../../base/util/fs.ts';
import { newTemporaryId } from '../../base/util/folders.ts';
import {
  copiesOf,
  bytesHash,
  writeJournal,
  type Journal,
  type JournalPlace,
  fileOps,
  removeEmptyFolders,
  type FileOps,
  resolveInside,
} from './journal.ts';
import type { FileChange, FilePlan } from './plan-files.ts';

type Change = Exclude<FileChange, { action: 'unchanged' }>;

interface ApplyOptions {
  /** Journal of the changes. If undefined, the changes stay half done when the command is killed. */
  readonly journal?: JournalPlace | undefined;
  /** File system operations that apply the changes. Default: operations on the disk. */
  readonly ops?: FileOps;
}

/** A change with its paths on disk. */
interface Step {
  readonly change: Change;
  /** Absolute path of the file to change. */
  readonly target: string;
  readonly id: string;
  /** Path of the complete new content, beside the target. */
  readonly fresh: string;
  /** Path of a copy of the former content, beside the target. */
  readonly backup: string;
  /** SHA-256 of the former content; null if the file did not exist. */
  readonly before: string | null;
}

/**
 * Applies a plan completely or not at all. All files are first written beside their targets, then renamed into place. If a step fails,
 * everything is undone. With a journal, this also holds if the process is killed, because each file is complete at any time and `recover`
 * finishes or undoes the rest.
 *
 * @throws OpSdkError `scaffold/file-exists`, `scaffold/file-changed` or `scaffold/outside-project` for every file concerned, or
 * `io/cannot-write` with the operating system's reason; nothing is changed then
 */
export async function applyPlan(plan: FilePlan, options: ApplyOptions = {}): Promise<void> {
  const { ops = fileOps } = options;
  const steps = await check(plan);
  if (steps.length === 0) return;
  const folders = await missingFolders(steps);
  const record = await recorder(plan, steps, folders, { journal: options.journal, ops });
  const root = await realpath(plan.root);
  const undo: Undo[] = [];
  let current = options.journal?.shown ?? '';
  try {
    await record('prepare');
    for (const folder of folders) {
      current = shown(root, folder);
      await ops.mkdir(folder);
      undo.push({ run: () => ops.rmdir(folder) });
    }
    for (const step of steps) {
      current = step.change.path;
      await prepare(step, undo, ops);
    }
    const written = steps.filter(({ change }) => change.action !== 'delete');
    await Promise.all(written.map(({ fresh }) => ops.flush(fresh)));
    await record('commit');
    for (const step of steps) {
      current = step.change.path;
      await commit(step, undo, ops);
    }
    await Promise.all(
      [...new Set(steps.map(({ target }) => dirname(target)))].map((each) => ops.flush(each)),
    );
  } catch (error) {
    await record('undo').catch(() => undefined);
    await rollBack(undo, current, error);
    await record('end').catch(() => undefined);
    throw isOpSdkError(error) ? error : cannotWrite(current, error);
  }
  try {
    await Promise.all(steps.map(({ backup }) => ops.remove(backup)));
    if (plan.removesEmptyFolders === true)
      await removeEmptyFolders(
        steps.filter(({ change }) => change.action === 'delete').map(({ target }) => target),
        root,
        ops,
      );
    await record('end');
  } catch (error) {
    // All files are written at this point, so file system errors are ignored. The next command finds the journal and removes the leftovers.
    if (errnoOf(error) === undefined) throw error;
  }
}

/** Operation that undoes one action. The operations run in reverse order of the actions. */
interface Undo {
  /** Path of the file that is lost if `run` fails; absent if only leftovers would remain. */
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
    const found =
      change.action === 'delete' && (await isLink(join(plan.root, change.path)))
        ? { conflict: linkedFile(change.path) }
        : await compare(change, target);
    if ('conflict' in found) findings.add(found.conflict);
    else {
      const id = newTemporaryId();
      steps.push({ change, target, id, ...copiesOf(target, id), ...found });
    }
  }
  findings.throwIfAny();
  return steps;
}

/** Checks that a file has not changed since the plan was made. */
async function compare(
  change: Change,
  target: string,
): Promise<{ readonly conflict: Finding } | { readonly before: string | null }> {
  const where = { file: change.path };
  if (change.action === 'create') {
    if (!(await pathExists(target))) return { before: null };
    const message = `${change.path} exists already`;
    const fix = ['move it away and run the command again'];
    return { conflict: { code: 'scaffold/file-exists', message, where, fix } };
  }
  try {
    const bytes = await readFile(target);
    if (change.action === 'update' && typeof change.content === 'string' && !isUtf8(bytes))
      return { conflict: notUtf8(change.path) };
    if (bytes.toString('utf8') === change.before) return { before: bytesHash(bytes) };
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') {
      const message = `${change.path} cannot be read: ${errnoText(error)}`;
      return { conflict: { code: 'io/cannot-read', message, where, fix: ['check its permissions'] } };
    }
  }
  const message = `${change.path} was changed by somebody else while the command ran`;
  return { conflict: { code: 'scaffold/file-changed', message, where, fix: ['run the command again'] } };
}

async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() === true;
}

/** Returns the finding for a link at the path of a file to delete. Its target is another file, perhaps the only copy. */
function linkedFile(path: string): Finding {
  return {
    code: 'scaffold/linked-file',
    message: `${path} cannot be deleted: expected a file, got a symbolic link`,
    where: { file: path },
    fix: ['remove the link, and run the command again: the file to which it leads is kept'],
  };
}

/**
 * Returns the finding for a text that was planned from bytes that are not UTF-8. Writing it would lose the bytes that could not be read.
 */
function notUtf8(path: string): Finding {
  return {
    code: 'scaffold/not-utf8',
    message: `${path} cannot be changed: expected text in UTF-8, got other bytes`,
    where: { file: path },
    fix: ['save it in UTF-8, and run the command again'],
  };
}

/** Creates the function that writes the journal. The function does nothing if the journal is undefined. */
async function recorder(
  plan: FilePlan,
  steps: readonly Step[],
  folders: readonly string[],
  { journal, ops }: { readonly journal: JournalPlace | undefined; readonly ops: FileOps },
): Promise<(phase: Journal['phase'] | 'end') => Promise<void>> {
  if (journal === undefined) return () => Promise.resolve();
  const root = await realpath(journal.root);
  const prefix = shown(root, await realpath(plan.root));
  const files = steps.map(({ change, id, before }) => ({
    path: prefix === '' ? change.path : `${prefix}/${change.path}`,
    id,
    before,
    after: change.action === 'delete' ? null : bytesHash(change.content),
  }));
  const created = folders.map((folder) => shown(root, folder));
  const { command, request } = journal;
  const { removesEmptyFolders } = plan;
  return (phase) =>
    phase === 'end'
      ? ops.remove(journal.file)
      : writeJournal(ops, journal, {
          ...{ phase, command, request, pid: process.pid, files, folders: created, removesEmptyFolders },
        });
}

/** Returns the missing folders of the targets, outer ones first. */
async function missingFolders(steps: readonly Step[]): Promise<readonly string[]> {
  const missing = new Set<string>();
  const collect = async (folder: string): Promise<void> => {
    if (missing.has(folder) || (await pathExists(folder))) return;
    await collect(dirname(folder));
    missing.add(folder);
  };
  for (const { target } of steps) await collect(dirname(target));
  return [...missing];
}

/** Performs all steps that may fail for lack of space or permission, without touching the targets. */
async function prepare({ change, target, fresh, backup }: Step, undo: Undo[], ops: FileOps): Promise<void> {
  const removeLater = (path: string): void => void undo.push({ run: () => ops.remove(path) });

  let mode = change.action === 'create' && change.executable === true ? 0o777 : 0o666;
  if (change.action !== 'create') {
    removeLater(backup);
    await ops.copy(target, backup);
    mode = (await stat(target)).mode & 0o7777;
    await ops.chmod(backup, mode);
  }
  if (change.action === 'delete') return;
  removeLater(fresh);
  await ops.create(fresh, change.content, mode);
  // An existing file keeps its mode regardless of the umask.
  if (change.action === 'update') await ops.chmod(fresh, mode);
}

async function commit({ change, target, fresh, backup }: Step, undo: Undo[], ops: FileOps): Promise<void> {
  // The file may have changed since the first check, so compare again immediately before the change.
  const found = await compare(change, target);
  if ('conflict' in found) throw new OpSdkError(found.conflict);
  if (change.action === 'delete') await ops.remove(target);
  else await ops.rename(fresh, target);
  undo.push({
    path: change.path,
    run: () => (change.action === 'create' ? ops.remove(target) : ops.rename(backup, target)),
  });
}

async function rollBack(undo: readonly Undo[], path: string, cause: unknown): Promise<void> {
  const lost: string[] = [];
  for (const action of undo.toReversed()) {
    try {
      await action.run();
    } catch {
      // The cause of the failure is reported below. Each error of an undo operation means one more file that is not restored.
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

function shown(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
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
