import { main, type MainWorld } from '../../src/cli/main.ts';

/** What a run of the command line left behind. */
export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions extends Partial<Pick<MainWorld, 'cwd' | 'env' | 'nodeVersion' | 'signal'>> {
  /** What `-f -` reads; by default nothing. */
  readonly stdin?: string;
  /** The width of standard output; by default unknown. */
  readonly columns?: number;
}

/** Runs op-sdk in this process, without a terminal and without colours. */
export async function runCli(argv: readonly string[], options: RunOptions = {}): Promise<CliRun> {
  let stdout = '';
  let stderr = '';
  const code = await main(argv, {
    cwd: options.cwd ?? process.cwd(),
    env: options.env ?? { OPSDK_NO_CACHE: '1' },
    nodeVersion: options.nodeVersion ?? '20.19.0',
    stdout: { write: (text) => (stdout += text), colors: false, columns: options.columns },
    stderr: { write: (text) => (stderr += text), colors: false },
    terminal: false,
    readStdin: () => Promise.resolve(options.stdin ?? ''),
    signal: options.signal ?? new AbortController().signal,
  });
  return { code, stdout, stderr };
}
