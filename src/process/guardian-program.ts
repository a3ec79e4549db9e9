import type { ChildProcess } from 'node:child_process';

/** What the owner tells the guardian. */
export type GuardianRequest =
  | {
      readonly type: 'spawn';
      readonly id: number;
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      /** stdout and stderr are appended to this file. */
      readonly logFile: string;
      /** If given, stdout is appended to this file instead. */
      readonly outputFile?: string;
    }
  | { readonly type: 'signal'; readonly id: number; readonly signal: NodeJS.Signals }
  | { readonly type: 'stop' };

/** What the guardian tells its owner. */
export type GuardianReport =
  | { readonly type: 'spawned'; readonly id: number; readonly pid: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | {
      readonly type: 'exited';
      readonly id: number;
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
    }
  | { readonly type: 'stopped' };

/**
 * The program of the guardian, a process of its own between us and the processes we start. When its owner goes, however
 * rudely, the channel between the two closes, and the guardian kills what it has started and removes the folders that
 * it was given as arguments.
 *
 * It is started from its source text (`node -e`), so that it needs no file of its own and runs the same from TypeScript
 * sources and from dist/. It may therefore use nothing from outside of its body: no imports, no constants, no helpers.
 */
export function guardianProgram(): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const fs = process.getBuiltinModule('node:fs');
  const folders = process.argv.slice(1);
  const running = new Map<number, ChildProcess>();
  let stopping = false;

  const report = (message: GuardianReport): void => {
    // A failure to report means that the owner is gone; the disconnect event takes care of that.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };

  const kill = (child: ChildProcess, signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      // The whole process group, so that a build's compilers go with it.
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal);
    } catch {
      // It has ended on its own in the meantime: what we wanted.
    }
  };

  const finishIfIdle = (): void => {
    if (!stopping || running.size > 0) return;
    for (const folder of folders)
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    report({ type: 'stopped' });
    if (process.connected) process.disconnect();
  };

  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    for (const child of running.values()) kill(child, 'SIGKILL');
    finishIfIdle();
  };

  const start = (request: Extract<GuardianRequest, { type: 'spawn' }>): void => {
    const { id } = request;
    if (stopping) return report({ type: 'failed', id, message: 'the guardian is stopping' });
    try {
      const log = fs.openSync(request.logFile, 'a', 0o600);
      const output = request.outputFile === undefined ? log : fs.openSync(request.outputFile, 'a', 0o600);
      const child = spawn(request.command, request.args, {
        cwd: request.cwd,
        env: request.env,
        stdio: ['ignore', output, log],
        detached: true,
        windowsHide: true,
      });
      fs.closeSync(log);
      if (output !== log) fs.closeSync(output);
      child.on('error', (error) => {
        if (child.pid === undefined) report({ type: 'failed', id, message: error.message });
      });
      if (child.pid === undefined) return;
      running.set(id, child);
      report({ type: 'spawned', id, pid: child.pid });
      child.on('exit', (code, signal) => {
        running.delete(id);
        report({ type: 'exited', id, code, signal });
        finishIfIdle();
      });
    } catch (error) {
      report({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
    }
  };

  process.title = `op-sdk-guardian ${folders.join(' ')}`;
  process.on('message', (request: GuardianRequest) => {
    if (request.type === 'spawn') return start(request);
    if (request.type === 'stop') return stop();
    const child = running.get(request.id);
    if (child !== undefined) kill(child, request.signal);
  });
  process.on('disconnect', stop);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}
