import { main, type MainWorld } from '../../src/cli/main.ts';

/** What a run of the command line left behind. */
export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs op-sdk in this process, without a terminal and without colours. `stdin` is what `-f -` reads; by default nothing. */
export async function runCli(
  argv: readonly string[],
  options: Partial<Pick<MainWorld, 'cwd' | 'env' | 'signal'> & { readonly stdin: string }> = {},
): Promise<CliRun> {
  let stdout = '';
  let stderr = '';
  const code = await main(argv, {
    cwd: options.cwd ?? process.cwd(),
    env: options.env ?? { OPSDK_NO_CACHE: '1' },
    stdout: { write: (text) => (stdout += text), colors: false },
    stderr: { write: (text) => (stderr += text), colors: false },
    terminal: false,
    readStdin: () => Promise.resolve(options.stdin ?? ''),
    signal: options.signal ?? new AbortController().signal,
  });
  return { code, stdout, stderr };
}
