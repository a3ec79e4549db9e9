import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf, statsAt } from './fs.ts';
import { fateOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';

interface LockOptions {
  /** Task of the process that holds the lock, shown to waiting processes, such as `op-sdk create api`. */
  readonly purpose?: string;
  /** Called while another process holds the lock: immediately, and then every `reportEvery`, with the milliseconds waited so far. */
  readonly onWait?: (holder: LockHolder, waited: number) => void;
  /** Milliseconds between two calls of `onWait`. Default: 15,000. */
  readonly reportEvery?: number;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without a sign of life after which a lock holder counts as silent, if its process cannot be observed. Default: 60,000. */
  readonly staleAfter?: number;
  /**
   * Treatment of the lock of a silent holder: `break` (default) if the lock only saves work, `fail` if two concurrent holders would do
   * harm.
   */
  readonly whenSilent?: 'break' | 'fail';
  /** Called when the lock file is a copy, for example checked out by git. The copy is removed immediately. */
  readonly onCopied?: (holder: LockHolder) => void;
}

export interface LockHolder extends ProcessIdentity {
  readonly purpose?: string;
}

interface Lock extends LockHolder {
  readonly token: string;
  /** The inode of the lock file. It shows if the file is a copy: a copy, in a clone or an image, has another inode. */
  readonly inode?: string;
}

/** Thrown if the process that holds a lock cannot be observed and gives no sign of life. */
export class SilentLockError extends Error {
  readonly file: string;
  readonly holder: LockHolder;
  constructor(file: string, holder: LockHolder) {
    super(`${file} is held by process ${holder.pid} on ${holder.host}, which gives no sign of life`);
    this.file = file;
    this.holder = holder;
  }
}

/** Milliseconds between two checks of a lock that another process holds. */
const pollInterval = 100;

/**
 * Runs `work` while holding a lock file, so that no other process runs `work` under the same file. Waits until the lock is free. The lock
 * of a dead process is broken immediately if its death can be observed: on the same machine, in the same container. A process that is
 * observed to run is waited for without limit. For all other holders, `whenSilent` decides.
 *
 * Replaces npm's proper-lockfile, which considers only the age of a lock: the lock of a killed process blocks everybody until it is old
 * enough, and a process that is suspended or whose event loop is busy (the TypeScript compiler takes seconds) loses its lock while it
 * works.
 *
 * @throws SilentLockError with `whenSilent: 'fail'`
 */
export async function withLock<T>(file: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const staleAfter = options.staleAfter ?? 60_000;
  const token = randomBytes(12).toString('hex');
  await acquire(file, token, staleAfter, options);
  const heartbeat = setInterval(() => {
    const now = new Date();
    // This call fails if another process has broken the lock in the meantime. That process now holds the lock rightfully, so the failure is
    // ignored.
    utimes(file, now, now).catch(() => undefined);
  }, staleAfter / 10);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await readLock(file))?.token === token) await rm(file, { force: true });
  }
}

async function acquire(file: string, token: string, staleAfter: number, options: LockOptions): Promise<void> {
  const { purpose, onWait, reportEvery = 15_000, signal } = options;
  const draft = `${file}.${token}`;
  const began = performance.now();
  let reported = -Infinity;
  const silence = createSilence();
  try {
    let lock = await writeDraft(draft, purpose, token);
    for (;;) {
      const placed = await place(draft, file, lock);
      if (placed === 'placed') return;
      if (placed === 'no draft') {
        lock = await writeDraft(draft, purpose, token);
        continue;
      }
      signal?.throwIfAborted();
      const other = await readLock(file);
      if (other !== undefined) {
        const isCopied = await wasCopied(file, other);
        if (isCopied) options.onCopied?.(other);
        if (isCopied || (await isStale(file, other, { ...options, staleAfter }, silence))) {
          await breakLock(file, other, staleAfter);
          continue;
        }
        const waited = performance.now() - began;
        if (waited - reported >= reportEvery) {
          reported = waited;
          onWait?.(other, waited);
        }
      }
      await sleep(pollInterval, undefined, signal === undefined ? {} : { signal });
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes the draft of a lock. The empty file is created first, because the lock contains the inode of the file. */
async function writeDraft(draft: string, purpose: string | undefined, token: string): Promise<Lock> {
  for (;;) {
    // Fails if the folder is missing.
    await writeFile(draft, '', { flag: 'wx' });
    const inode = await inodeOf(draft);
    const lock: Lock = {
      ...ownIdentity(),
      ...(purpose === undefined ? {} : { purpose }),
      token,
      ...(inode === undefined ? {} : { inode }),
    };
    try {
      // A new file would have another inode.
      await writeFile(draft, JSON.stringify(lock), { flag: 'r+' });
      return lock;
    } catch (error) {
      // Another process took the empty draft for that of a killed process, and removed it.
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
  }
}

async function inodeOf(file: string): Promise<string | undefined> {
  return (await stat(file, { bigint: true }).catch(() => undefined))?.ino.toString();
}

/**
 * Returns true if the lock of another host is a copy. A lock file that was committed, copied or packed into an image has another inode than
 * the file that its holder wrote, and will never be released. On a shared file system the inode is the same for all hosts.
 */
async function wasCopied(file: string, holder: Lock): Promise<boolean> {
  if (holder.host === '' || holder.host === ownIdentity().host) return false;
  const inode = await inodeOf(file);
  return inode !== undefined && holder.inode !== inode;
}

/**
 * Removes draft files beside a lock file. Processes that were killed while waiting left them behind. A draft without content may also be of a
 * process that begins to wait right now, which then writes it again.
 */
export async function removeDeadDrafts(file: string): Promise<void> {
  const prefix = `${basename(file)}.`;
  const names = await readdir(dirname(file)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefix) || name === `${prefix}breaking`) continue;
    const draft = join(dirname(file), name);
    const waiting = await readLock(draft);
    const seen = await lastSeen(draft);
    if (waiting === undefined || seen === undefined) continue;
    if (waiting.pid !== 0 && fateOf(waiting, seen) !== 'dead') continue;
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Creates the lock as a hard link, so that it appears with its complete content or not at all. */
async function place(draft: string, file: string, lock: Lock): Promise<'placed' | 'held' | 'no draft'> {
  try {
    await link(draft, file).catch(async (error: unknown) => {
      // Some file systems (FAT, shared folders of virtual machines) have no links.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error) ?? '')) throw error;
      await writeFile(file, '', { flag: 'wx' });
      const inode = await inodeOf(file);
      await writeFile(file, JSON.stringify({ ...lock, ...(inode === undefined ? {} : { inode }) }));
    });
    return 'placed';
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return 'held';
    // Writing a new draft fails if the folder is missing, too.
    if (errnoOf(error) === 'ENOENT') return 'no draft';
    throw error;
  }
}

async function readLock(file: string): Promise<Lock | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const lock = JSON.parse(text) as Lock | null;
    if (typeof lock?.pid === 'number' && typeof lock.host === 'string') return lock;
  } catch {
    // Where there are no links, another process may be writing it right now.
  }
  return { pid: 0, host: '', token: '' };
}

async function isStale(
  file: string,
  holder: Lock,
  { staleAfter, whenSilent }: { readonly staleAfter: number; readonly whenSilent?: 'break' | 'fail' },
  silence: Silence,
): Promise<boolean> {
  const seen = await lastSeen(file);
  if (seen === undefined) return false;
  const fate = fateOf(holder, seen);
  if (fate !== 'unknown') return fate === 'dead';
  if (whenSilent !== 'fail') return Date.now() - seen > staleAfter;
  if (silence.of(holder, seen) > staleAfter) throw new SilentLockError(file, holder);
  return false;
}

interface Silence {
  /**
   * Returns the milliseconds since a new sign of life of a holder was last observed. Uses the local clock only, because the clocks of
   * machines differ.
   */
  of(holder: Lock, seen: number): number;
}

function createSilence(): Silence {
  let last = '';
  let since = 0;
  return {
    of({ token }, seen) {
      const sign = `${token} ${seen}`;
      if (sign !== last) since = performance.now();
      last = sign;
      return performance.now() - since;
    },
  };
}

async function lastSeen(file: string): Promise<number | undefined> {
  return (await statsAt(file))?.mtimeMs;
}

/**
 * Removes a stale lock while holding a second lock, because two processes that find the same stale lock must not remove each other's new
 * lock.
 */
async function breakLock(file: string, stale: Lock, staleAfter: number): Promise<void> {
  const guard = `${file}.breaking`;
  try {
    await writeFile(guard, '', { flag: 'wx' });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    // The second lock is held only for a moment, so an old second lock is left over from a crash.
    const made = await lastSeen(guard);
    if (made !== undefined && Date.now() - made > Math.min(staleAfter, 10_000))
      await rm(guard, { force: true });
    await sleep(20);
    return;
  }
  try {
    if ((await readLock(file))?.token === stale.token) await rm(file, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}
