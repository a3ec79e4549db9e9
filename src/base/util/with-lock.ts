import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from './fs.ts';
import { fateOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';

interface LockOptions {
  /** The holder's work, shown to those who wait: `op-sdk create api`. */
  readonly purpose?: string;
  /** Called when somebody else holds the lock: at once, and then every `reportEvery`, with the milliseconds waited so far. */
  readonly onWait?: (holder: LockHolder, waited: number) => void;
  /** Milliseconds between two calls of `onWait`. Default: 15,000. */
  readonly reportEvery?: number;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without a sign of life after which a holder that cannot be seen counts as silent. Default: 60,000. */
  readonly staleAfter?: number;
  /**
   * Treatment of the lock of a silent holder: `break` (default) where the lock only saves work, `fail` where two at once
   * would do harm.
   */
  readonly whenSilent?: 'break' | 'fail';
  /** Called when the lock is one that was copied here, such as by git: it is removed at once. */
  readonly onCopied?: (holder: LockHolder) => void;
}

export interface LockHolder extends ProcessIdentity {
  readonly purpose?: string;
}

interface Lock extends LockHolder {
  readonly token: string;
  /** The number of the file in its file system. A copy of the file, in a clone or an image, has another. */
  readonly inode?: string;
}

/** A lock whose holder can neither be seen nor gives a sign of life. */
export class SilentLockError extends Error {
  readonly file: string;
  readonly holder: LockHolder;
  constructor(file: string, holder: LockHolder) {
    super(`${file} is held by process ${holder.pid} on ${holder.host}, which gives no sign of life`);
    this.file = file;
    this.holder = holder;
  }
}

/** Milliseconds between two looks at a lock that somebody else holds. */
const pollInterval = 100;

/**
 * Runs `work` while no other process does so under the same lock file, and waits for them if need be. The lock of a dead
 * process is broken at once where that can be seen: on the same machine, in the same container. A process that can be seen
 * to live is waited for without limit. What becomes of others is for `whenSilent` to say.
 *
 * Own code, though npm has proper-lockfile: that one knows only the age of the lock. The lock of a killed process holds
 * everybody up until it is old enough, and the lock of one whose event loop is busy (the TypeScript compiler takes seconds)
 * or which was suspended is taken from it while it works.
 *
 * @throws SilentLockError with `whenSilent: 'fail'`
 */
export async function withLock<T>(file: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const staleAfter = options.staleAfter ?? 60_000;
  const token = randomBytes(12).toString('hex');
  await acquire(file, token, staleAfter, options);
  const heartbeat = setInterval(() => {
    const now = new Date();
    // Whoever took the lock from us for dead has the right to it; there is nothing to mend.
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
    const lock = await writeDraft(draft, purpose, token);
    while (!(await place(draft, file, lock))) {
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

/** The number of the file is known only when it is there. */
async function writeDraft(draft: string, purpose: string | undefined, token: string): Promise<Lock> {
  await writeFile(draft, '', { flag: 'wx' });
  const inode = await inodeOf(draft);
  const lock: Lock = {
    ...ownIdentity(),
    ...(purpose === undefined ? {} : { purpose }),
    token,
    ...(inode === undefined ? {} : { inode }),
  };
  await writeFile(draft, JSON.stringify(lock));
  return lock;
}

async function inodeOf(file: string): Promise<string | undefined> {
  return (await stat(file, { bigint: true }).catch(() => undefined))?.ino.toString();
}

/**
 * True if a lock of another machine was never held in this place: a lock that was committed, copied or packed into an image is another
 * file than the one that its holder wrote, and nobody will ever release it. Where a file system is shared, the number is the same for all.
 */
async function wasCopied(file: string, holder: Lock): Promise<boolean> {
  if (holder.host === '' || holder.host === ownIdentity().host) return false;
  const inode = await inodeOf(file);
  return inode !== undefined && holder.inode !== inode;
}

/** Removes what processes left beside a lock that were killed while they waited for it. */
export async function removeDeadDrafts(file: string): Promise<void> {
  const prefix = `${basename(file)}.`;
  const names = await readdir(dirname(file)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefix) || name === `${prefix}breaking`) continue;
    const draft = join(dirname(file), name);
    const waiting = await readLock(draft);
    const seen = await lastSeen(draft);
    if (waiting === undefined || seen === undefined || fateOf(waiting, seen) !== 'dead') continue;
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** A link appears with its whole content, or not at all: nobody reads half a lock. */
async function place(draft: string, file: string, lock: Lock): Promise<boolean> {
  try {
    await link(draft, file).catch(async (error: unknown) => {
      // Some file systems (FAT, shared folders of virtual machines) have no links.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error) ?? '')) throw error;
      await writeFile(file, '', { flag: 'wx' });
      const inode = await inodeOf(file);
      await writeFile(file, JSON.stringify({ ...lock, ...(inode === undefined ? {} : { inode }) }));
    });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
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
  /** Milliseconds since a holder was last seen to give a sign of life, by our own clock: those of machines differ. */
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
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}

/** Two who find the same stale lock must not remove each other's new one; hence a lock around the removal. */
async function breakLock(file: string, stale: Lock, staleAfter: number): Promise<void> {
  const guard = `${file}.breaking`;
  try {
    await writeFile(guard, '', { flag: 'wx' });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    // It is held for an instant only, so an old one is left over from a crash.
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
