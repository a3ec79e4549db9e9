// A pseudo-terminal, lent by script(1): some questions are put to people only.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, vi } from 'vitest';

/** By its path: what runs on the terminal may have another PATH. */
const script = spawnSync('sh', ['-c', 'command -v script'], { encoding: 'utf8' }).stdout.trim() || 'script';

/** Whether this machine can lend one. */
export const hasTerminal = spawnSync(script, ['-qec', 'stty cols 150', '/dev/null']).status === 0;

interface TerminalOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What is typed when a text has appeared, in this order. */
  readonly answers?: readonly (readonly [question: string, typed: string])[];
}

/** Runs a line of sh on a pseudo-terminal and types the answers; fails if it waits for more than those. */
export async function onTerminal(
  line: string,
  { cwd, env, answers = [] }: TerminalOptions,
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const { CI: _ci, ...others } = env;
  const child = spawn(script, ['-qec', `stty cols 150 rows 40 && ${line}`, '/dev/null'], {
    cwd,
    env: others,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
  const limit = setTimeout(() => child.kill(), 120_000);
  try {
    for (const [question, typed] of answers) {
      await vi.waitFor(() => expect(screen).toContain(question), { timeout: 60_000 });
      child.stdin.write(typed);
    }
    const [code] = await ended;
    return { code, screen };
  } finally {
    clearTimeout(limit);
    child.kill();
  }
}
