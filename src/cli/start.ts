import { versionFlags, versionLine } from './version.ts';

/**
 * What `bin/op-sdk.js` calls. A plain question for the version is answered at once, without the parser of command lines; all
 * else is for `main`.
 * @returns the exit code
 */
export async function start(argv: readonly string[]): Promise<number> {
  process.stdout.on('error', ignoreBrokenPipe);
  process.stderr.on('error', ignoreBrokenPipe);
  const [first = ''] = argv;
  if (argv.length === 1 && ['version', ...versionFlags].includes(first)) {
    process.stdout.write(`${versionLine()}\n`);
    return 0;
  }
  const { main } = await import('./main.ts');
  return main(argv);
}

/** Whoever reads our output may stop, as `head` does; what the command does to files goes on to its end. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
