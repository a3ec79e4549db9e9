import { randomBytes } from 'node:crypto';
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LockOptions {
  /** Called once if somebody else holds the lock, with their process id. */
  readonly onWait?: (pid: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without a sign of life after which a holder is taken for dead. Default: 60,000. */
  readonly staleAfter?: number;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

/** Milliseconds between two looks at a lock that somebody else holds. */
const pollInterval = 200;

/**
 * Runs `work` while no other process does so under the same lock file, and waits for them if need be. A lock whose holder
 * has died is broken: at once if that can be seen (same machine), else when it has given no sign of life for a while (the
 * machine may share its disk with others, or run in containers).
 *
 * The lock saves work; correctness must not rest on it, for a frozen holder may wake up again.
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
    if ((await readHolder(file))?.token === token) await rm(file, { force: true });
  }
}

async function acquire(file: string, token: string, staleAfter: number, options: LockOptions): Promise<void> {
  const holder: Holder = { pid: process.pid, host: hostname(), token };
  const draft = `${file}.${token}`;
  let told = false;
  await writeFile(draft, JSON.stringify(holder), { flag: 'wx' });
  try {
    while (!(await linkIfAbsent(draft, file))) {
      options.signal?.throwIfAborted();
      const other = await readHolder(file);
      if (other !== undefined && (await isStale(file, other, staleAfter))) {
        await breakLock(file, other, staleAfter);
        continue;
      }
      if (other !== undefined && !told) {
        told = true;
        options.onWait?.(other.pid);
      }
      await sleep(pollInterval, undefined, options.signal === undefined ? {} : { signal: options.signal });
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** A link appears with its whole content, or not at all: nobody ever reads half a lock. */
async function linkIfAbsent(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function isStale(file: string, holder: Holder, staleAfter: number): Promise<boolean> {
  if (holder.host === hostname() && !isAlive(holder.pid)) return true;
  const age = await ageOf(file);
  return age !== undefined && age > staleAfter;
}

async function ageOf(file: string): Promise<number | undefined> {
  const stats = await stat(file).catch(() => undefined);
  return stats === undefined ? undefined : Date.now() - stats.mtimeMs;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, but somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Two who find the same stale lock must not remove each other's new one; hence a lock around the removal. */
async function breakLock(file: string, stale: Holder, staleAfter: number): Promise<void> {
  const guard = `${file}.breaking`;
  try {
    await writeFile(guard, '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // It is held for an instant only, so an old one is left over from a crash.
    if (((await ageOf(guard)) ?? 0) > Math.min(staleAfter, 10_000)) await rm(guard, { force: true });
    await sleep(20);
    return;
  }
  try {
    if ((await readHolder(file))?.token === stale.token) await rm(file, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}
