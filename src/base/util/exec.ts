import { execa } from 'execa';

export interface CommandEnd {
  /** Exit code of the command; undefined if the command could not be started or was ended by a signal. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  /** stdout and stderr, interleaved as they were written. */
  readonly output: string;
  /** Reason why the command could not be started, such as `ENOENT`; undefined if it was started. */
  readonly startError?: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Signal that ends the command when it is aborted. */
  readonly signal?: AbortSignal;
  /** Called with each line of output as it is written. */
  readonly onLine?: (line: string) => void;
  /** The program's standard input. Default: empty. */
  readonly input?: string;
}

/** Runs a program without a shell. Does not throw if the program fails: callers must check `exitCode`. */
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
    // The code below reports how the command ended; this iteration only passes lines on.
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
