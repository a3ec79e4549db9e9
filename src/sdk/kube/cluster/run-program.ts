import { spawn, type ChildProcess } from 'node:child_process';
import type { SharedRun } from '../../net/index.ts';

/** Limit for the end of a program after SIGTERM, and of what holds its output open after it has ended; milliseconds. */
const lastMoment = 1_000;
/** Bytes on stdout: an answer is far shorter. */
const maxStdout = 4 * 1024 * 1024;
/** Bytes of stderr that are kept: what matters is said last. */
const keptStderr = 16 * 1024;

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It has the terminal: stdin, and what it writes to stderr is shown. */
  readonly interactive: boolean;
  /** Called with each piece of stderr: all that was written so far. */
  readonly onStderr?: (text: string) => void;
}

/** The output of a program, and its failure if there was one. */
export interface ProgramEnd {
  readonly stdout: string;
  readonly stderr: string;
  /** `failed with exit code 1`; undefined: it did not fail. */
  readonly failure: string | undefined;
}

/**
 * Runs a program to its end. When the run aborts, it and all that it has started get SIGTERM, and SIGKILL a second later; they get
 * SIGKILL when this process exits. The end of the program counts, not that of others that hold its output open.
 *
 * @throws the error of Node if it cannot be started
 */
export function runProgram(program: Program, run: SharedRun): Promise<ProgramEnd> {
  const { command, args, env, interactive } = program;
  // A group of its own can be ended as a whole; a program that asks needs the group of the terminal.
  const isGroup = !interactive && process.platform !== 'win32';
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...env },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
      detached: isGroup,
      windowsHide: true,
    });
    const kill = (signal: NodeJS.Signals): void => sendTo(child, isGroup, signal);
    const release = endWithProcess(() => kill(interactive ? 'SIGTERM' : 'SIGKILL'));
    const stdout: Buffer[] = [];
    let stdoutSize = 0;
    let stderr = Buffer.alloc(0);
    let failure: string | undefined;
    let late: NodeJS.Timeout | undefined;

    const end = (): void => {
      kill('SIGTERM');
      setTimeout(() => kill('SIGKILL'), lastMoment).unref();
    };
    const settle = (settled: () => void): void => {
      clearTimeout(late);
      release();
      run.signal.removeEventListener('abort', end);
      for (const pipe of [child.stdout, child.stderr]) pipe?.destroy();
      settled();
    };
    const done = (): void =>
      settle(() =>
        resolve({
          stdout: Buffer.concat(stdout).toString('utf8'),
          stderr: stderr.toString('utf8'),
          failure,
        }),
      );

    holdWhileWaited(child, run);
    child.stdout?.on('data', (chunk: Buffer) => {
      stdoutSize += chunk.length;
      if (stdoutSize <= maxStdout) stdout.push(chunk);
      else if (failure === undefined) {
        failure = `wrote more than ${maxStdout / 1024 / 1024} MiB to stdout`;
        end();
      }
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-keptStderr);
      program.onStderr?.(stderr.toString('utf8'));
      // Questions, and addresses to log in at, are for whoever sits there.
      if (interactive) process.stderr.write(chunk);
    });
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', (code, signal) => {
      if (code === null) failure ??= `was ended by ${signal ?? 'a signal'}`;
      else if (code !== 0) failure ??= `failed with exit code ${code}`;
      late = setTimeout(done, lastMoment);
    });
    child.once('close', done);
    run.signal.addEventListener('abort', end, { once: true });
    if (run.signal.aborted) end();
  });
}

function holdWhileWaited(child: ChildProcess, run: SharedRun): void {
  run.hold(child);
  for (const pipe of [child.stdout, child.stderr]) if (isHolder(pipe)) run.hold(pipe);
}

/** The pipes of a child are sockets, which Node's types do not say. */
function isHolder(pipe: unknown): pipe is { ref(): unknown; unref(): unknown } {
  return typeof pipe === 'object' && pipe !== null && 'ref' in pipe && 'unref' in pipe;
}

function sendTo(child: ChildProcess, isGroup: boolean, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (isGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // Nothing of it is left, or it belongs to somebody else by now.
  }
}

const deadly = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const running = new Set<() => void>();

function killAll(): void {
  for (const kill of running) kill();
}

/** A signal that nobody else handles ends the process: what it has started goes first, as Node does not tell `exit` listeners. */
function onDeadly(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  for (const each of deadly) process.off(each, onDeadly);
  process.kill(process.pid, signal);
}

/** Calls `kill` when this process ends. @returns how to call that off */
function endWithProcess(kill: () => void): () => void {
  if (running.size === 0) {
    process.on('exit', killAll);
    for (const signal of deadly) process.on(signal, onDeadly);
  }
  running.add(kill);
  return () => {
    if (!running.delete(kill) || running.size > 0) return;
    process.off('exit', killAll);
    for (const signal of deadly) process.off(signal, onDeadly);
  };
}
