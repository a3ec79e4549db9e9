import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'vitest';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));
const reporter = pathToFileURL(join(import.meta.dirname, 'report-peak-memory.mjs')).href;
/** Only Linux knows the peak of a process alone. */
const canMeasure = process.platform === 'linux';
/** In megabytes: what any command may take, whatever it reads. */
const mostMemory = 300;

export interface MeasuredRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs op-sdk as people do, as a process of its own, and checks that it took less than 300 MB of memory, and that it printed nothing that
 * a terminal would obey: no control character but tabs and line ends, none that turns the direction of text.
 */
export async function measuredRun(
  cwd: string,
  argv: readonly string[],
  stdin: string | Uint8Array = '',
): Promise<MeasuredRun> {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-peak-'));
  const peakFile = join(folder, 'peak-memory');
  try {
    const measured = canMeasure ? ['--import', reporter] : [];
    const child = spawn(process.execPath, [...measured, opSdk, ...argv], {
      cwd,
      env: { ...process.env, PEAK_MEMORY_FILE: peakFile },
    });
    // A command that refuses early closes its input.
    child.stdin.on('error', () => undefined).end(stdin);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    const run = `${argv.join(' ')}\n${stderr.slice(0, 5000)}`;
    if (canMeasure) {
      expect(existsSync(peakFile), run).toBe(true);
      expect(Number(readFileSync(peakFile, 'utf8')) / 1024, run).toBeLessThan(mostMemory);
    }
    expect(stdout + stderr, run).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/u);
    return { code, stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
