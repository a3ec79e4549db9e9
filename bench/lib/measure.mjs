import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir, cpus } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const usage = new URL('usage.mjs', import.meta.url).href;

/** One run of `node ...args`. @returns {{ cpu: number, rss: number }} CPU seconds (user + system) and peak memory in MiB */
export function measureOnce(args, cwd) {
  const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bench-'));
  try {
    const file = join(scratch, 'usage.json');
    const run = spawnSync(process.execPath, ['--import', usage, ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, OPSDK_BENCH_USAGE: file },
    });
    if (run.status !== 0) throw new Error(`node ${args.join(' ')} ended with ${run.status}:\n${run.stderr}`);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * CPU seconds (user + system) of a shell script and all processes that it starts and waits for.
 * @throws if the script fails
 */
export function cpuOfScript(script, { cwd, env = process.env }) {
  // `times` prints the shell's own time in its first line, that of its children in the second.
  const run = spawnSync('sh', ['-e', '-c', `{ ${script}\n} >&2\ntimes`], { cwd, env, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${script}\nended with ${run.status}:\n${run.stderr}`);
  return secondsOf(run.stdout);
}

/** The sum of what `times` prints. */
function secondsOf(times) {
  const seconds = [...times.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s));
  return seconds.reduce((sum, value) => sum + value, 0);
}

/**
 * CPU seconds (user + system) of a command with all processes that it starts and waits for, and the peak memory of the command itself
 * in MiB (NaN where /proc is missing).
 * @throws if the command fails
 */
export async function usageOf(argv, { cwd, env = {} }) {
  const child = spawn('sh', ['-e', '-c', '"$@" >&2\ntimes', 'sh', ...argv], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'close');
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  let peak = NaN;
  while (isRunning) {
    peak = Math.max(peakOfChild(child.pid), Number.isNaN(peak) ? 0 : peak) || NaN;
    await sleep(2);
  }
  const [code] = await ended;
  const [stdout, stderr] = await output;
  if (code !== 0) throw new Error(`${argv.join(' ')}\nended with ${code}:\n${stderr}`);
  return { cpu: secondsOf(stdout), rss: peak };
}

/** The peak so far of the first child of a process: the kernel keeps it, so that only the last milliseconds can be missed. */
function peakOfChild(pid) {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    const status = first ? readFileSync(`/proc/${first}/status`, 'utf8') : '';
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    // It has just ended, or /proc is missing.
    return 0;
  }
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Measures several commands in turn (A B C A B C …), so that a change of the machine's speed meets all of them.
 * The first round warms the caches and is not counted.
 * @returns medians by name
 */
export function measureInTurn(cases, rounds) {
  const samples = new Map(cases.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, args, cwd } of cases) {
      const sample = measureOnce(args, cwd);
      if (round > 0) samples.get(name).push(sample);
    }
  }
  return new Map(
    [...samples].map(([name, list]) => [
      name,
      { cpu: median(list.map((s) => s.cpu)), rss: median(list.map((s) => s.rss)) },
    ]),
  );
}

/** What the figures were taken on. */
export function machine() {
  const load = loadavg().map((value) => value.toFixed(1));
  return `node ${process.version}, ${process.platform}/${process.arch}, ${cpus().length} CPUs, load average ${load.join(' ')}`;
}

/** Prints a figure, and whether it is within its target if it has one. @param digits how many after the point */
export function row(name, value, unit, target, digits = 0) {
  const verdict =
    target === undefined ? '' : `   target ≤ ${target} ${unit}${value <= target ? '' : ', missed'}`;
  console.log(`  ${name.padEnd(44)} ${value.toFixed(digits).padStart(7)} ${unit}${verdict}`);
}
