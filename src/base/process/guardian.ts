import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** End of a process: its exit code, or the signal that ended it. One of the two is null. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that a guardian supervises. */
export interface GuardedProcess {
  readonly pid: number;
  /** Resolves when the process has ended; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** End of the process; undefined while the process runs. */
  readonly exit: ProcessExit | undefined;
  /** Sends a signal to the process and its group; does nothing if the process has ended. */
  kill(signal: NodeJS.Signals): void;
}

/** A process to start. */
export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** File to which stdout and stderr are appended. Default: both go to those of the guardian. */
  readonly logFile?: string;
  /** Path of a Unix socket to which stdin, stdout and stderr are connected instead; see `spawnWithStreams`. */
  readonly streams?: string;
  /** File to which stdout is appended instead of `logFile`. */
  readonly outputFile?: string;
  /**
   * Milliseconds between SIGTERM and SIGKILL when the current process ends or stops the guardian. Default: 0, which sends SIGKILL
   * immediately.
   */
  readonly grace?: number;
}

interface GuardianOptions {
  /** Absolute paths of folders that the guardian removes with their contents when it ends. Default: none. */
  readonly folders?: readonly string[];
  /** File descriptors of this process that receive the output of processes without a log file. Default: the output is discarded. */
  readonly output?: { readonly stdout: number; readonly stderr: number };
}

interface Entry {
  pid: number | undefined;
  exit: ProcessExit | undefined;
  readonly onSpawned: (pid: number) => void;
  readonly onFailed: (error: Error) => void;
  readonly onExited: (exit: ProcessExit) => void;
}

/**
 * Path of the guardian program. The program is a separate file in the folder of this module, so a bundle of this module needs a copy of it.
 */
const program = fileURLToPath(new URL('./guardian-program.js', import.meta.url));

/**
 * Starts processes that end when this process ends. A small guardian process ends them, and removes the given folders, when this process
 * stops, crashes, or is killed with SIGKILL. If the guardian itself is killed, this process kills the started processes.
 */
export class Guardian {
  readonly #child: ChildProcess;
  readonly #folders: readonly string[];
  readonly #entries = new Map<number, Entry>();
  readonly #gone: Promise<void>;
  #nextId = 1;
  #stopping = false;
  #lost = false;

  constructor({ folders = [], output }: GuardianOptions = {}) {
    this.#folders = folders;
    const env = { ...process.env };
    // Loaders and inspectors of this process must not apply to the guardian.
    delete env['NODE_OPTIONS'];
    this.#child = spawn(process.execPath, [program, ...folders], {
      stdio: ['ignore', output?.stdout ?? 'ignore', output?.stderr ?? 'ignore', 'ipc'],
      // The guardian runs in a separate session, so that Ctrl-C in the terminal reaches only this process. This process then decides when
      // the guardian ends.
      detached: true,
      windowsHide: true,
      env,
    });
    const happens = (event: 'disconnect' | 'exit'): Promise<void> =>
      new Promise((resolve) => this.#child.once(event, () => resolve()));
    // The last reports of the guardian may arrive after its exit, but never after the channel is closed. Therefore wait for both events.
    const ended = Promise.all([happens('disconnect'), happens('exit')]);
    const failed = new Promise<void>((resolve) => this.#child.once('error', () => resolve()));
    this.#gone = Promise.race([ended, failed]).then(() => this.#onGone());
    this.#child.on('message', (report: GuardianReport) => this.#onReport(report));
  }

  /** The process id of the guardian itself, for diagnosis. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** True if the guardian was killed. This process has then killed the processes that it had started. */
  get lost(): boolean {
    return this.#lost;
  }

  /**
   * Starts a process.
   * @throws Error if the process cannot be started
   */
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
      this.#send({ type: 'spawn', id, ...spawnMessage(request) }, reject);
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

  /** Ends every process, removes the folders, and ends the guardian. Further calls only wait. */
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
    const entry = this.#entries.get(report.id);
    if (entry === undefined) return;
    if (report.type === 'spawned') {
      entry.pid = report.pid;
      entry.onSpawned(report.pid);
    } else if (report.type === 'failed') {
      entry.onFailed(new Error(report.message));
    } else {
      this.#entries.delete(report.id);
      this.#finish(entry, { code: report.code, signal: report.signal });
    }
  }

  #finish(entry: Entry, exit: ProcessExit): void {
    entry.exit = exit;
    entry.onExited(exit);
  }

  /**
   * Handles the end of the guardian. After a regular end nothing is left to do. If the guardian was killed, ends the started processes and
   * removes the folders.
   */
  #onGone(): void {
    this.#lost = !this.#stopping;
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

function spawnMessage(request: SpawnRequest): Omit<SpawnMessage, 'type' | 'id'> {
  const { command, args, cwd, env, streams, logFile, outputFile = logFile, grace = 0 } = request;
  return {
    command,
    args,
    cwd,
    env: Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    grace,
    ...(streams === undefined ? {} : { streams }),
    ...(logFile === undefined || outputFile === undefined
      ? {}
      : { logFiles: { stdout: outputFile, stderr: logFile } }),
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** A process that the guardian is to start. The environment is exactly `env`. */
export interface SpawnMessage {
  readonly type: 'spawn';
  readonly id: number;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Files to which stdout and stderr are appended. Default: the guardian's own stdout and stderr. */
  readonly logFiles?: { readonly stdout: string; readonly stderr: string };
  /** Path of a Unix socket for the three standard streams. */
  readonly streams?: string;
  /** Milliseconds between SIGTERM and SIGKILL when the owner ends or sends `stop`; 0 sends SIGKILL immediately. */
  readonly grace: number;
}

/** Messages to the guardian from its owner, the process that started it. */
export type GuardianRequest =
  | SpawnMessage
  | { readonly type: 'signal'; readonly id: number; readonly signal: NodeJS.Signals }
  | { readonly type: 'stop' };

/** Messages from the guardian to its owner, the process that started it. */
export type GuardianReport =
  | { readonly type: 'spawned'; readonly id: number; readonly pid: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | {
      readonly type: 'exited';
      readonly id: number;
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
    };
