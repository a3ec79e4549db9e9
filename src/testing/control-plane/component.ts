import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpSdkError } from '../../base/errors/index.ts';
import type { GuardedProcess, Guardian } from '../../base/process/guardian.ts';
import { logTail } from '../../base/process/log-tail.ts';

type ComponentName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager';

/** Default time limit for a component to become ready. */
export const defaultStartTimeout = '2m';

/** Resources and limits that are shared by all components (etcd, kube-apiserver and so on) of one control plane. */
export interface ComponentHost {
  readonly guardian: Guardian;
  /** Folder of the binaries. */
  readonly assets: string;
  /** The folder that this control plane uses alone. */
  readonly folder: string;
  /** Time limit for a component to become ready, in milliseconds. */
  readonly startTimeout: number;
  /** Cancels the start of a component. */
  readonly signal: AbortSignal | undefined;
  /** Observes every component that became ready, to detect its unexpected end. */
  readonly ending: Ending;
}

/** Returns the path of the log file that receives a component's stdout and stderr. */
export function logFile(folder: string, name: ComponentName): string {
  return join(folder, `${name}.log`);
}

/**
 * Starts a component and waits until `isReady` resolves to true.
 * @throws OpSdkError testenv/start-failed with the end of the component's log, if the component ends or does not become ready in time;
 *   PortTaken if the component ends because another process uses its port
 */
export async function startComponent(
  host: ComponentHost,
  name: ComponentName,
  flags: readonly string[],
  isReady: () => Promise<boolean>,
): Promise<GuardedProcess> {
  const log = logFile(host.folder, name);
  const command = join(host.assets, process.platform === 'win32' ? `${name}.exe` : name);
  const started = await host.guardian
    .spawn({ command, args: flags, cwd: host.folder, env: componentEnv(host.folder), logFile: log })
    .catch((error: unknown) => {
      throw startFailed(name, `${command} cannot be run: ${String(error)}`, '', error);
    });
  try {
    await becomesReady(host, name, started, isReady);
  } catch (error) {
    // Kill the process, because a process that is only slow would keep its port occupied during the next attempt.
    started.kill('SIGKILL');
    await started.exited;
    throw error;
  }
  host.ending.watch(name, started);
  return started;
}

async function becomesReady(
  host: ComponentHost,
  name: ComponentName,
  started: GuardedProcess,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const log = logFile(host.folder, name);
  const deadline = performance.now() + host.startTimeout;
  while (!(await isReady().catch(() => false))) {
    host.signal?.throwIfAborted();
    if (started.exit !== undefined) {
      const { code, signal } = started.exit;
      const tail = await logTail(log);
      if (/address already in use/.test(tail)) throw new PortTaken(name);
      throw startFailed(name, `${name} ended (${signal ?? `exit code ${code}`}) before it was ready`, tail);
    }
    if (performance.now() > deadline) {
      const message = `${name} was not ready within ${host.startTimeout} ms`;
      throw startFailed(name, message, await logTail(log));
    }
    await sleep(30);
  }
}

/** Thrown if another process took the port before the component could bind it. The caller retries with other ports. */
export class PortTaken extends Error {
  constructor(name: ComponentName) {
    super(`the port of ${name} was taken by another process`);
  }
}

function startFailed(name: ComponentName, message: string, tail: string, cause?: unknown): OpSdkError {
  const log = tail === '' ? '' : `\nthe end of its log:\n${tail}`;
  return new OpSdkError(
    { code: 'testenv/start-failed', message: `${message}${log}`, where: { command: name } },
    { cause },
  );
}

/**
 * Returns the environment variables for the processes of components. Variables of the caller, such as proxies and ETCD_ variables, are not
 * passed on.
 */
function componentEnv(folder: string): Record<string, string | undefined> {
  const { PATH, SYSTEMROOT } = process.env;
  return { PATH, SYSTEMROOT, HOME: folder, TMPDIR: folder, TEMP: folder };
}

/** Detects that a component of a control plane ends unexpectedly. */
export class Ending {
  /** Resolves with the reason of the first unexpected end. Never settles if every component ends on request. */
  readonly ended: Promise<string>;
  readonly #expected = new WeakSet<GuardedProcess>();
  #resolve: (reason: string) => void = () => undefined;
  #stopping = false;

  constructor() {
    this.ended = new Promise((resolve) => (this.#resolve = resolve));
  }

  watch(name: string, started: GuardedProcess): void {
    void started.exited.then(({ code, signal }) => {
      if (this.#stopping || this.#expected.has(started)) return;
      this.#resolve(`${name} ended (${signal ?? `exit code ${code}`})`);
    });
  }

  /** Marks the end of the given process as expected. */
  expect(started: GuardedProcess): void {
    this.#expected.add(started);
  }

  /** Marks the end of every process from now on as expected. */
  expectAll(): void {
    this.#stopping = true;
  }
}
