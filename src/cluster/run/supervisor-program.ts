import type { ChildProcess } from 'node:child_process';

/** What op-sdk tells the supervisor. */
export type SupervisorRequest =
  | {
      readonly type: 'start';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      /** Milliseconds that the operator has to end in order, once op-sdk is gone. */
      readonly grace: number;
    }
  | { readonly type: 'signal'; readonly signal: NodeJS.Signals };

/** What the supervisor tells op-sdk. */
export type SupervisorReport =
  | { readonly type: 'started'; readonly pid: number }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'exited'; readonly code: number | null; readonly signal: NodeJS.Signals | null };

/**
 * The program of the supervisor, a process between op-sdk and the operator. When op-sdk goes, however rudely, the channel
 * between the two closes, and the supervisor ends the operator: in order first, and by force when its grace is over.
 *
 * It is started from its source text (`node -e`), so that it needs no file of its own and runs the same from TypeScript
 * sources and from dist/. It may therefore use nothing from outside of its body: no imports, no constants, no helpers.
 */
export function supervisorProgram(): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  let operator: ChildProcess | undefined;
  let grace = 0;
  let killer: NodeJS.Timeout | undefined;

  const report = (message: SupervisorReport): void => {
    // A failure to report means that op-sdk is gone; the disconnect event takes care of that.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };

  const leave = (): void => {
    clearTimeout(killer);
    if (process.connected) process.disconnect();
  };

  const start = (request: Extract<SupervisorRequest, { type: 'start' }>): void => {
    grace = request.grace;
    const { command, args, cwd, env } = request;
    try {
      operator = spawn(command, args, {
        cwd,
        env,
        stdio: ['ignore', 'inherit', 'inherit'],
        windowsHide: true,
      });
    } catch (error) {
      report({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
      return leave();
    }
    operator.on('error', (error) => {
      if (operator?.pid !== undefined) return;
      operator = undefined;
      report({ type: 'failed', message: error.message });
      leave();
    });
    if (operator.pid === undefined) return;
    report({ type: 'started', pid: operator.pid });
    operator.on('exit', (code, signal) => {
      operator = undefined;
      report({ type: 'exited', code, signal });
      leave();
    });
  };

  const end = (): void => {
    if (operator === undefined) return;
    operator.kill('SIGTERM');
    killer ??= setTimeout(() => operator?.kill('SIGKILL'), grace);
  };

  process.title = 'op-sdk run: supervisor';
  process.on('message', (request: SupervisorRequest) => {
    if (request.type === 'start') start(request);
    else operator?.kill(request.signal);
  });
  process.on('disconnect', end);
  // Whoever ends the supervisor means the operator.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}
