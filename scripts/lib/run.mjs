// Child processes for the repository's own scripts. No dependencies: these run before `npm ci` has.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Seconds since `start` (from performance.now()), with one decimal. */
export const since = (start) => ((performance.now() - start) / 1000).toFixed(1);

/**
 * Runs a command, its output shown as it comes.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, capture?: boolean | 'all', quiet?: boolean, limit?: number, onOutput?: (text: string) => void }} [options]
 *   `capture` keeps stdout instead of showing it, `'all'` keeps stderr too, in the order in which they came; `onOutput` gets it as it comes;
 *   after `limit` seconds (default: never) the command and what it started is killed
 * @returns {Promise<{ code: number, output: string, isEnded: boolean }>} the exit code (128 + n for signal n), what was captured, and
 *   whether we ended it: after `limit`, or because we are to end ourselves
 */
export function run(
  command,
  args,
  { cwd = root, env = process.env, capture = false, quiet = false, limit, onOutput } = {},
) {
  return new Promise((resolve, reject) => {
    const stdout = capture !== false ? 'pipe' : quiet ? 'ignore' : 'inherit';
    const stderr = capture === 'all' ? 'pipe' : 'inherit';
    const child = spawn(command, args, {
      ...{ cwd, env, stdio: ['ignore', stdout, stderr] },
      // A group of its own, so that all of it can be killed.
      detached: limit !== undefined,
    });
    let isEnded = false;
    const end = limit === undefined ? () => {} : endGroup(child, limit, () => (isEnded = true));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
        onOutput?.(text);
      });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      end();
      resolve({ code: code ?? (signal === null ? 1 : 128 + constants.signals[signal]), output, isEnded });
    });
  });
}

/**
 * Kills the group of a process after `limit` seconds, and when we are ended by a signal that its group does not get.
 * @returns to be called when the process has ended
 */
function endGroup(child, limit, onEnd) {
  const kill = () => {
    onEnd();
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const timer = setTimeout(() => {
    console.log(`    ended by force: it took more than ${limit} s`);
    kill();
  }, limit * 1000);
  const onSignal = (signal) => {
    kill();
    process.kill(process.pid, signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.once(signal, onSignal);
  return () => {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, onSignal);
  };
}

/** Like `run`, but a non-zero exit code ends the script. */
export async function must(command, args, options) {
  const result = await run(command, args, options);
  if (result.code !== 0)
    throw new Error(`${[command, ...args].join(' ')} ended with exit code ${result.code}`);
  return result.output;
}
