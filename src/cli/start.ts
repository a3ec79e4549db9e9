import { guardCommand } from './package-info.ts';
import { versionFlags, versionLine } from './version.ts';

/**
 * Entry for `bin/op-sdk.js`. A plain question for the version is answered at once, without the parser of command lines; all
 * else is for `main`.
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
  // What a shell asks on every TAB, by the script of `op-sdk completion`.
  if (first === 'complete' && argv[1] === '--') {
    const { completionsOf } = await import('./completion/complete.ts');
    const lines = await completionsOf(argv.slice(2), process.cwd());
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  }
  // A process of `op-sdk run` and `dev` that outlives them.
  if (first === guardCommand && argv[1] === '--') {
    const { runWebhookGuard } = await import('../cluster/index.ts');
    await runWebhookGuard(process.stdin);
    return 0;
  }
  const { main } = await import('./main.ts');
  return main(argv);
}

/** Whoever reads our output may stop, as `head` and a terminal that is closed do; what the command does goes on to its end. */
function ignoreLostReader(error: NodeJS.ErrnoException, isTerminal: boolean): void {
  if (error.code === 'EPIPE' || (isTerminal && error.code === 'EIO')) return;
  throw error;
}
