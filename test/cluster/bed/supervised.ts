import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SupervisedOptions {
  /** The bed's folder: log and process id go there, as `<name>.log` and `<name>.pid`. */
  readonly folder: string;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Beside that of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program of the bed. */
export interface Supervised {
  /** @throws Error with the end of its log if it has ended */
  assertRunning(): void;
  /** SIGKILL, for good. */
  end(): Promise<void>;
}

/** Starts a program, and starts it again whenever it is killed, as the kubelet does with a control plane's Pods. One that fails stays ended. */
export function supervise({ folder, name, command, args, env = {} }: SupervisedOptions): Supervised {
  const logFile = join(folder, `${name}.log`);
  let child: ChildProcess;
  let isWanted = true;
  const start = (): void => {
    const log = openSync(logFile, 'a');
    child = spawn(command, args, { stdio: ['ignore', log, log], env: { ...process.env, ...env } });
    closeSync(log);
    writeFileSync(join(folder, `${name}.pid`), String(child.pid));
    child.once('exit', (_, signal) => {
      if (isWanted && signal !== null) start();
    });
  };
  start();
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    assertRunning() {
      if (!isOver()) return;
      const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
      throw new Error(`${name} ended with exit code ${child.exitCode}:\n${lines.slice(-20).join('\n')}`);
    },
    async end() {
      isWanted = false;
      if (isOver()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
