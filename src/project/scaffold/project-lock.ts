import { mkdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { layout } from '../project/index.ts';
import { errnoOf, pathExists } from '../../base/util/fs.ts';
import { removeDeadDrafts, SilentLockError, withLock, type LockHolder } from '../../base/util/with-lock.ts';
import { draftOf, type JournalPlace } from './journal.ts';
import { recover, type Recovery } from './recover.ts';

interface ProjectLockOptions {
  /** The command, as those who wait for the lock see it: `op-sdk create api`. */
  readonly command: string;
  /** Identifies the command with its flags and arguments: its repetition undoes what it left, see {@link recover}. */
  readonly request?: string | undefined;
  /** True if the command may write. If false, and an interrupted command left changes behind, it leaves them alone and fails. */
  readonly writes: boolean;
  /** See `LockOptions`. */
  readonly onWait?: (holder: LockHolder, waited: number) => void;
  /** Called for a lock that came with the files, such as by git, and is removed. */
  readonly onCopied?: (holder: LockHolder) => void;
  readonly onRecovery?: (recovery: Recovery) => void;
  readonly signal?: AbortSignal | undefined;
  /** See `LockOptions`. */
  readonly staleAfter?: number;
}

/** Below the root of a project: there while a command runs, and after one that was killed. */
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
 * Runs `work` while no other command writes into a project, from the reading of its files to the end of the writing: what
 * a plan was made from must not change under it. Before that, what a killed command left behind is finished or undone.
 *
 * The lock and the journal lie in a folder of the project that git ignores, and that is removed in the end: machines and
 * containers that share the project share the lock. Where nothing can be written, `work` runs without a lock and gets no
 * journal: whoever writes there all the same sees it fail.
 *
 * @param root absolute
 * @throws OpSdkError `scaffold/project-locked` if the holder cannot be seen from here and gives no sign of life;
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
      // The former holder has removed the folder meanwhile.
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
    // A journal that is left needs its folder, ignored by git as it is.
    if (!(await pathExists(file)))
      for (const each of [draftOf(file), ignore]) await rm(each, { force: true }).catch(() => undefined);
  }
}

/** Removes the folder of the lock, and the one around it if op-sdk made it for the lock alone. */
async function removeEmpty(folder: string): Promise<void> {
  for (const each of [folder, dirname(folder)]) {
    try {
      await rmdir(each);
    } catch {
      // Somebody waits there, or keeps something there.
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
