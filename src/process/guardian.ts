import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { guardianProgram, type GuardianReport, type GuardianRequest } from './guardian-program.ts';

/** How a process ended; exactly one of the two is set. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that a guardian looks after. */
export interface GuardedProcess {
  readonly pid: number;
  /** Resolves when the process has ended; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Undefined while the process runs. */
  readonly exit: ProcessExit | undefined;
  /** Signals the process and its group; nothing happens if it has ended. */
  kill(signal: NodeJS.Signals): void;
}

/** What to start. The environment is exactly `env`; stdout and stderr are appended to `logFile`, or stdout to `outputFile`. */
export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  readonly outputFile?: string;
}

interface Entry {
  pid: number | undefined;
  exit: ProcessExit | undefined;
  readonly onSpawned: (pid: number) => void;
  readonly onFailed: (error: Error) => void;
  readonly onExited: (exit: ProcessExit) => void;
}

// Bundlers that keep function names wrap functions in a helper of this name.
const prelude = 'const __name = (target) => target;';

/**
 * Starts processes that end when we end: a small process between us and them kills them, and removes the folders given
 * to it, as soon as we stop, crash, or are killed with SIGKILL. If the guardian itself is killed, we do its work.
 */
export class Guardian {
  readonly #child: ChildProcess;
  readonly #folders: readonly string[];
  readonly #entries = new Map<number, Entry>();
  readonly #gone: Promise<void>;
  #nextId = 1;
  #stopping = false;

  /** @param folders absolute paths; removed at the end with all that is in them */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
    const env = { ...process.env };
    // Loaders and inspectors of the owner are no business of the guardian.
    delete env['NODE_OPTIONS'];
    const source = `${prelude}(${guardianProgram.toString()})()`;
    this.#child = spawn(process.execPath, ['--input-type=commonjs', '--eval', source, '--', ...folders], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A session of its own: Ctrl-C in the terminal reaches the owner, which then decides.
      detached: true,
      windowsHide: true,
      env,
    });
    this.#gone = new Promise<void>((resolve) => {
      this.#child.once('error', () => resolve());
      this.#child.once('exit', () => resolve());
    }).then(() => this.#onGone());
    this.#child.on('message', (report: GuardianReport) => this.#onReport(report));
  }

  /** The process id of the guardian itself, for diagnosis. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @throws Error if the process cannot be started */
  async spawn(request: SpawnRequest): Promise<GuardedProcess> {
    const id = this.#nextId++;
    let onExited: (exit: ProcessExit) => void = () => undefined;
    const exited = new Promise<ProcessExit>((resolve) => (onExited = resolve));
    const pid = await new Promise<number>((resolve, reject) => {
      this.#entries.set(id, {
        pid: undefined,
        exit: undefined,
        onSpawned: resolve,
        onFailed: reject,
        onExited,
      });
      const env = definedOnly(request.env);
      this.#send({ type: 'spawn', id, ...request, env }, reject);
    });
    const entry = this.#entries.get(id);
    return {
      pid,
      exited,
      get exit() {
        return entry?.exit;
      },
      kill: (signal) => {
        if (entry?.exit === undefined) this.#send({ type: 'signal', id, signal }, () => undefined);
      },
    };
  }

  /** Kills every process, removes the folders, and ends the guardian. Does nothing the second time. */
  async stop(): Promise<void> {
    if (!this.#stopping) {
      this.#stopping = true;
      this.#send({ type: 'stop' }, () => undefined);
    }
    await this.#gone;
  }

  #send(request: GuardianRequest, onError: (error: Error) => void): void {
    if (!this.#child.connected) return onError(new Error('the guardian process has ended'));
    this.#child.send(request, (error) => {
      if (error !== null) onError(error);
    });
  }

  #onReport(report: GuardianReport): void {
    if (report.type === 'stopped') return;
    const entry = this.#entries.get(report.id);
    if (entry === undefined) return;
    if (report.type === 'spawned') {
      entry.pid = report.pid;
      entry.onSpawned(report.pid);
    } else if (report.type === 'failed') {
      entry.onFailed(new Error(report.message));
    } else {
      this.#finish(entry, { code: report.code, signal: report.signal });
    }
  }

  #finish(entry: Entry, exit: ProcessExit): void {
    entry.exit = exit;
    entry.onExited(exit);
  }

  /** After a regular end nothing is left to do here; after a kill of the guardian everything is. */
  #onGone(): void {
    for (const entry of this.#entries.values()) {
      if (entry.exit !== undefined) continue;
      entry.onFailed(new Error('the guardian process has ended'));
      if (entry.pid === undefined) continue;
      killGroup(entry.pid);
      this.#finish(entry, { code: null, signal: 'SIGKILL' });
    }
    for (const folder of this.#folders) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
