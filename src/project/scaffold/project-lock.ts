import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { layout } from '../project/index.ts';
import { errnoOf, pathExists, statsAt } from '../../base/util/fs.ts';
import { removeDeadDrafts, SilentLockError, withLock, type LockHolder } from '../../base/util/with-lock.ts';
import { draftOf, type JournalPlace } from './journal.ts';
import { recover, type Recovery } from './recover.ts';

interface ProjectLockOptions {
  /** The command that takes the lock: `op-sdk create api`. It is shown to processes that wait for the lock. */
  readonly command: string;
  /**
   * Identifies the command with its flags and arguments. If the same command is run again after an interruption, its partial changes are
   * undone, see {@link recover}.
   */
  readonly request?: string | undefined;
  /** True if the command may write. If false and an interrupted command has left changes, the command fails and does not touch them. */
  readonly writes: boolean;
  /** Called while another process holds the lock. `waited` is the time waited so far, in milliseconds; see `LockOptions`. */
  readonly onWait?: (holder: LockHolder, waited: number) => void;
  /** Called if a lock was copied together with the project's files, for example by git. Such a lock is removed. */
  readonly onCopied?: (holder: LockHolder) => void;
  readonly onRecovery?: (recovery: Recovery) => void;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which a holder of the lock that gives no sign of life counts as silent; see `LockOptions`. */
  readonly staleAfter?: number;
}

/** Files in the state folder of a project. They exist while a command runs, and remain after a command was killed. */
const files = { lock: 'lock', journal: 'journal.json', ignore: '.gitignore' };

/**
 * Returns the nearest folder that contains a project: `folder` itself or a parent; undefined if none does.
 * @param folder absolute path
 */
export async function projectAround(folder: string): Promise<string | undefined> {
  for (let each = folder; ; each = dirname(each)) {
    const file = await statsAt(join(each, layout.projectFile));
    if (file?.isFile() === true || (await pathExists(join(each, layout.state, files.journal)))) return each;
    if (dirname(each) === each) return undefined;
  }
}

/** Returns true if `folder` is `root` or below it. Relative paths are resolved first. */
export function isInside(root: string, folder: string): boolean {
  const way = relative(resolve(root), resolve(folder));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Runs `work` while no other command writes into a project. The lock is held while files are read, too, because the files from which a plan
 * is made must not change. Before `work`, changes of a killed command are finished or undone.
 *
 * The lock and the journal are in a folder of the project that git ignores and that is removed at the end. Machines and containers that
 * share the project therefore share the lock. If the folder cannot be written, `work` runs without a lock and without a journal, because a
 * command that needs to write will fail anyway.
 *
 * @param root absolute path of the project
 * @throws OpSdkError `scaffold/project-locked` if the process that holds the lock cannot be observed from this machine and gives no sign of
 * life; `scaffold/interrupted-write`
 */
export async function withProjectLock<T>(
  root: string,
  options: ProjectLockOptions,
  work: (journal: JournalPlace | undefined) => Promise<T>,
): Promise<T> {
  const folder = join(root, layout.state);
  const { command, signal, onWait, onCopied, staleAfter } = options;
  for (let tries = 0; ; tries++) {
    let entered = false;
    try {
      await mkdir(folder, { recursive: true });
      const lock = {
        purpose: command,
        signal,
        whenSilent: 'fail' as const,
        ...(onWait === undefined ? {} : { onWait }),
        ...(onCopied === undefined ? {} : { onCopied }),
        ...(staleAfter === undefined ? {} : { staleAfter }),
      };
      return await withLock(join(folder, files.lock), lock, async () => {
        entered = true;
        return await locked(root, folder, options, work);
      });
    } catch (error) {
      if (error instanceof SilentLockError) throw projectLocked(error);
      if (entered || errnoOf(error) === undefined) throw error;
      // The process that held the lock before has removed the lock's folder in the meantime, so try again.
      if (errnoOf(error) === 'ENOENT' && tries < 100) continue;
      return await work(undefined);
    } finally {
      await removeEmpty(folder);
    }
  }
}

async function locked<T>(
  root: string,
  folder: string,
  { command, request, writes, onRecovery }: ProjectLockOptions,
  work: (journal: JournalPlace | undefined) => Promise<T>,
): Promise<T> {
  const file = join(folder, files.journal);
  const ignore = join(folder, files.ignore);
  try {
    await writeFile(ignore, '*\n').catch(() => undefined);
    await removeDeadDrafts(join(folder, files.lock));
    if (writes) {
      const recovery = await recover(root, file, request);
      if (recovery !== undefined) onRecovery?.(recovery);
    } else if (await pathExists(file)) throw interrupted();
    return await work({ root, file, shown: `${layout.state}/${files.journal}`, command, request });
  } finally {
    // If a journal or another record remains, keep its folder and the file that makes git ignore the folder.
    if (!(await pathExists(file))) await rm(draftOf(file), { force: true }).catch(() => undefined);
    const left = await readdir(folder).catch(() => []);
    if (
      left.every((name) => name === files.ignore || name === files.lock || name.startsWith(`${files.lock}.`))
    )
      await rm(ignore, { force: true }).catch(() => undefined);
  }
}

/** Removes the folder of the lock, and its parent folder, if they are empty. */
async function removeEmpty(folder: string): Promise<void> {
  for (const each of [folder, dirname(folder)]) {
    try {
      await rmdir(each);
    } catch {
      // The folder is not empty, because another process waits for the lock or has files in the folder.
      return;
    }
  }
}

function interrupted(): OpSdkError {
  return new OpSdkError({
    code: 'scaffold/interrupted-write',
    message:
      'an earlier command was interrupted while it wrote into this project, so only some of its files are written',
    where: { file: `${layout.state}/${files.journal}` },
    fix: ['run a command that writes, such as `op-sdk generate manifests`: it finishes or undoes the rest'],
  });
}

function projectLocked({ holder }: SilentLockError): OpSdkError {
  const file = `${layout.state}/${files.lock}`;
  const who =
    holder.host === ''
      ? 'another process'
      : `\`${holder.purpose ?? 'op-sdk'}\` (pid ${holder.pid} on ${holder.host})`;
  return new OpSdkError({
    code: 'scaffold/project-locked',
    message: `the project is locked by ${who}, which may no longer be running`,
    where: { file },
    fix: [`if it no longer runs, delete ${file}`, 'if it runs, wait for its end and run the command again'],
  });
}
