import { execa } from 'execa';

export interface CommandEnd {
  /** Undefined if the command could not be started or was ended by a signal. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  /** stdout and stderr as they came. */
  readonly output: string;
  /** Why the command could not be started, such as `ENOENT`; undefined if it was. */
  readonly startError?: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends the command when aborted. */
  readonly signal?: AbortSignal;
  /** Is given each line of output as it comes. */
  readonly onLine?: (line: string) => void;
  /** The program's standard input. Default: empty. */
  readonly input?: string;
}

/** Runs a program without a shell. A failing program does not throw: the caller knows what a failure means. */
export async function runCommand(
  file: string,
  args: readonly string[],
  { cwd, env, signal, onLine, input }: RunOptions,
): Promise<CommandEnd> {
  const child = execa(file, [...args], {
    cwd,
    ...(env === undefined ? {} : { env, extendEnv: false }),
    ...(signal === undefined ? {} : { cancelSignal: signal }),
    all: true,
    reject: false,
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
  });
  const lines = async (): Promise<void> => {
    if (onLine === undefined) return;
    // The code below reports how the command ended, not the iteration.
    for await (const line of child.iterable({ from: 'all', preserveNewlines: false })) onLine(line);
  };
  const [result] = await Promise.all([child, lines()]);
  signal?.throwIfAborted();
  const startError = result.exitCode === undefined ? result.code : undefined;
  return {
    exitCode: result.exitCode,
    stdout: result.stdout,
    output: result.all,
    ...(startError === undefined ? {} : { startError }),
  };
}
