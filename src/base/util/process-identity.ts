import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/**
 * Identifies a process so that another process can find out if it still runs. A process id alone does not suffice: ids are reused, and an
 * id is meaningless in another container or on another machine that shares a folder with this one.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process in ticks since boot; Linux only. */
  readonly started?: string;
  /** Id that the Linux kernel creates at each boot; Linux only. */
  readonly boot?: string;
  /** The process id namespace, in which the process id is valid; Linux only. */
  readonly pids?: string;
}

export function ownIdentity(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    host: hostname(),
    ...defined('started', statusOf('self')?.started),
    ...defined(
      'boot',
      attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    ),
    ...defined(
      'pids',
      attempt(() => readlinkSync('/proc/self/ns/pid')),
    ),
  };
  return own;
}

let own: ProcessIdentity | undefined;

/**
 * Finds out if a process still runs.
 *
 * @param lastSeen time of the last sign of life of the process, in milliseconds since 1970
 * @returns `unknown` if this process cannot observe the other process, or if another process may have the same id now
 */
export function fateOf(process: ProcessIdentity, lastSeen: number): 'alive' | 'dead' | 'unknown' {
  const here = ownIdentity();
  if (process.host !== here.host || process.pids !== here.pids) return 'unknown';
  if (process.boot !== here.boot) {
    // The boot ids differ, so the machine was rebooted, unless another machine has the same host name.
    return lastSeen < Date.now() - uptime() * 1000 ? 'dead' : 'unknown';
  }
  if (!hasProcess(process.pid)) return 'dead';
  const status = statusOf(process.pid);
  if (status === undefined || process.started === undefined) return 'unknown';
  // A zombie, which has ended, keeps its id until its parent waits for it.
  return status.started === process.started && !status.ended ? 'alive' : 'dead';
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Reads the state and the start time of a process from Linux. Source: proc_pid_stat(5), fields 3 and 22. */
function statusOf(pid: number | 'self'): { readonly ended: boolean; readonly started: string } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === undefined) return undefined;
  // The second field is the program name in parentheses, which may contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = ''] = fields;
  const started = fields[19];
  return started === undefined ? undefined : { ended: /^[ZXx]$/.test(state), started };
}

function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function defined<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string };
}
