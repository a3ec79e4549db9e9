import { mkdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { layout } from '../project/index.ts';
import { errnoOf, pathExists } from '../../base/util/fs.ts';
import { removeDeadDrafts, SilentLockError, withLock, type LockHolder } from '../../base/util/with-lock.ts';
import { draftOf, type JournalPlace } from './journal.ts';
import { recover, type Recovery } from './recover.ts';

interface ProjectLockOptions {
  /** The command, shown to processes that wait for the lock: `op-sdk create api`. */
  readonly command: string;
  /**
   * Identifies the command with its flags and arguments: if it is repeated after an interruption, its partial changes are undone, see
   * {@link recover}.
   */
  readonly request?: string | undefined;
  /** True if the command may write. If false, the command does not touch the changes of an interrupted command, but fails. */
  readonly writes: boolean;
  /** See `LockOptions`. */
  readonly onWait?: (holder: LockHolder, waited: number) => void;
  /** Called for a lock that was copied with the files, for example by git; it is removed. */
  readonly onCopied?: (holder: LockHolder) => void;
  readonly onRecovery?: (recovery: Recovery) => void;
  readonly signal?: AbortSignal | undefined;
  /** See `LockOptions`. */
  readonly staleAfter?: number;
}

/** Files in the state folder of a project: they exist while a command runs, and after one that was killed. */
const files = { lock: 'lock', journal: 'journal.json', ignore: '.gitignore' };

/**
 * The project that a folder is in.
 * @param folder absolute
 */
export async function projectAround(folder: string): Promise<string | undefined> {
  for (let each = folder; ; each = dirname(each)) {
    const file = await stat(join(each, layout.projectFile)).catch(() => undefined);
    if (file?.isFile() === true || (await pathExists(join(each, layout.state, files.journal)))) return each;
    if (dirname(each) === each) return undefined;
  }
}

/** Returns true if `folder` is `root` or below it. Both are made absolute. */
export function isInside(root: string, folder: string): boolean {
  const way = relative(resolve(root), resolve(folder));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Runs `work` while no other command writes into a project. The lock covers the reading of files as well as the writing, because the basis
 * of a plan must not change. Before `work`, changes of a killed command are finished or undone.
 *
 * The lock and the journal are in a folder of the project that git ignores and that is removed at the end: machines and containers that
 * share the project share the lock. If the folder cannot be written, `work` runs without a lock and gets no journal: a command that needs
 * to write will fail there anyway.
 *
 * @param root absolute
 * @throws OpSdkError `scaffold/project-locked` if the holder cannot be observed from here and gives no sign of life;
 *   `scaffold/interrupted-write`
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
      // The former holder has removed the folder in the meantime.
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
    // A remaining journal needs its folder, still ignored by git.
    if (!(await pathExists(file)))
      for (const each of [draftOf(file), ignore]) await rm(each, { force: true }).catch(() => undefined);
  }
}

/** Removes the folder of the lock, and its parent, as far as they are empty. */
async function removeEmpty(folder: string): Promise<void> {
  for (const each of [folder, dirname(folder)]) {
    try {
      await rmdir(each);
    } catch {
      // The folder is not empty: another process waits there, or keeps files there.
      return;
    }
  }
}

function interrupted(): OpSdkError {
  return new OpSdkError({
    code: 'scaffold/interrupted-write',
    message:
      'a command was interrupted while it wrote into this project, and only some of its files are written',
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
    message: `${who} holds the lock of this project and gives no sign of life`,
    where: { file },
    fix: [`if it no longer runs, delete ${file}`, 'if it runs, wait for its end and run the command again'],
  });
}
