import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/**
 * Which process this is, so that another one can find out whether it still runs. A process id alone does not say: ids are
 * used again, and mean nothing in another container or on another machine that shares the folder.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in ticks since boot; only where the system says so (Linux). */
  readonly started?: string;
  /** The kernel's boot id; Linux only. */
  readonly boot?: string;
  /** The namespace in which the process id counts; Linux only. */
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
 * @param lastSeen when it gave its last sign of life, in milliseconds since 1970
 * @returns `unknown` where it cannot be seen from here, or where its id may belong to another process by now
 */
export function fateOf(process: ProcessIdentity, lastSeen: number): 'alive' | 'dead' | 'unknown' {
  const here = ownIdentity();
  if (process.host !== here.host || process.pids !== here.pids) return 'unknown';
  if (process.boot !== here.boot) {
    // The machine was started again, unless another one has the same name.
    return lastSeen < Date.now() - uptime() * 1000 ? 'dead' : 'unknown';
  }
  if (!hasProcess(process.pid)) return 'dead';
  const status = statusOf(process.pid);
  if (status === undefined || process.started === undefined) return 'unknown';
  // A process that nobody has waited for keeps its id after its end.
  return status.started === process.started && !status.ended ? 'alive' : 'dead';
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, but somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Reads the state and the start time of a process from Linux. Source: proc_pid_stat(5), fields 3 and 22. */
function statusOf(pid: number | 'self'): { readonly ended: boolean; readonly started: string } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === undefined) return undefined;
  // The second field is the name of the program in parentheses, which may hold anything.
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
