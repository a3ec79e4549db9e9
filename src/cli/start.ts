import { guardCommand } from './package-info.ts';
import { versionFlags, versionLine } from './version.ts';

/**
 * Entry point for `bin/op-sdk.js`. If only the version is requested, it is printed at once, without loading the command line parser. Every
 * other command line is passed to `main`.
 * @returns the exit code
 */
export async function start(argv: readonly string[]): Promise<number> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => ignoreLostReader(error, stream.isTTY));
  const [first = ''] = argv;
  if (argv.length === 1 && ['version', ...versionFlags].includes(first)) {
    process.stdout.write(`${versionLine()}\n`);
    return 0;
  }
  // Shells call this on every TAB, through the script of `op-sdk completion`.
  if (first === 'complete' && argv[1] === '--') {
    const { completionsOf } = await import('./completion/complete.ts');
    const lines = await completionsOf(argv.slice(2), process.cwd());
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  }
  // `op-sdk run` and `op-sdk dev` start this process, which continues to run after they have ended.
  if (first === guardCommand && argv[1] === '--') {
    const { runWebhookGuard } = await import('../cluster/index.ts');
    await runWebhookGuard(process.stdin);
    return 0;
  }
  const { main } = await import('./main.ts');
  return main(argv);
}

/**
 * Ignores the write error that occurs if the reader of the output, such as `head` or a terminal, has closed it. The command still runs to
 * its end.
 */
function ignoreLostReader(error: NodeJS.ErrnoException, isTerminal: boolean): void {
  if (error.code === 'EPIPE' || (isTerminal && error.code === 'EIO')) return;
  throw error;
}
