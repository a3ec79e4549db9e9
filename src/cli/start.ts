import { guardCommand } from './package-info.ts';
import { versionFlags, versionLine } from './version.ts';

/**
 * Entry for `bin/op-sdk.js`. Prints the version at once, without the parser of command lines, if only that is requested; everything else is
 * passed to `main`.
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
  // Called by shells on every TAB, through the script of `op-sdk completion`.
  if (first === 'complete' && argv[1] === '--') {
    const { completionsOf } = await import('./completion/complete.ts');
    const lines = await completionsOf(argv.slice(2), process.cwd());
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  }
  // Started by `op-sdk run` and `dev`; this process outlives them.
  if (first === guardCommand && argv[1] === '--') {
    const { runWebhookGuard } = await import('../cluster/index.ts');
    await runWebhookGuard(process.stdin);
    return 0;
  }
  const { main } = await import('./main.ts');
  return main(argv);
}

/** Ignores that the reader of the output is gone, such as `head` or a closed terminal: the command still runs to its end. */
function ignoreLostReader(error: NodeJS.ErrnoException, isTerminal: boolean): void {
  if (error.code === 'EPIPE' || (isTerminal && error.code === 'EIO')) return;
  throw error;
}
