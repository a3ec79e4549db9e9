// What only a process of its own can show: closed pipes, signals, questions on a terminal.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isAlive } from '../helpers/processes.ts';
import { treeOf } from '../helpers/tree.ts';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));
const init = ['init', '--domain', 'example.com', '--opsdk', '^0.1.0'];
let scratch = '';

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-process-'));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(scratch, 'x-'));

async function exitOf(child: ChildProcess): Promise<number | string> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? signal ?? '';
}

function textOf(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}

describe('whoever reads may stop reading', () => {
  test('stdout', async () => {
    const child = spawn(process.execPath, [opSdk, 'version'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const stderr = textOf(child.stderr);
    expect(await exitOf(child)).toBe(0);
    expect(stderr()).toBe('');
  });

  test('stderr: the work is done nevertheless', async () => {
    const cwd = folder();
    const child = spawn(process.execPath, [opSdk, ...init, '--skip-install'], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.destroy();
    expect(await exitOf(child)).toBe(0);
    expect(existsSync(join(cwd, 'PROJECT'))).toBe(true);
  });
});

describe('Ctrl-C', () => {
  test('during the install ends the install too, with 130, and says what is there', async () => {
    const [cwd, bin] = [folder(), folder()];
    const npm = join(bin, 'npm');
    writeFileSync(npm, `#!/bin/sh\necho $$ > '${bin}/pid'\necho npm has begun\nexec sleep 600\n`);
    chmodSync(npm, 0o755);
    const child = spawn(process.execPath, [opSdk, ...init], {
      cwd,
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const stderr = textOf(child.stderr);
    await vi.waitFor(() => expect(stderr()).toContain('npm has begun'), { timeout: 60_000 });
    child.kill('SIGINT');
    expect(await exitOf(child)).toBe(130);
    expect(stderr()).toMatch(/the files of the project are complete.*npm install.*\ninterrupted\n$/);
    const pid = Number(readFileSync(join(bin, 'pid'), 'utf8'));
    await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), { timeout: 60_000 });
  });
});

const hasTerminal = spawnSync('script', ['-qec', 'stty cols 100', '/dev/null']).status === 0;

/** Runs op-sdk on a pseudo-terminal; each answer is typed when its question has appeared. */
async function onTerminal(cwd: string, argv: readonly string[], answers: readonly [string, string][]) {
  const line = ['stty cols 100 rows 40 && exec', process.execPath, opSdk, ...argv].join(' ');
  const { CI: _ci, ...env } = process.env;
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const screen = textOf(child.stdout);
  const end = exitOf(child);
  for (const [question, answer] of answers) {
    await vi.waitFor(() => expect(screen()).toContain(question), { timeout: 60_000 });
    child.stdin.write(answer);
  }
  return { code: await end, screen: screen() };
}

describe.runIf(hasTerminal)('on a terminal', () => {
  test('create api asks for what is missing, and again for what is wrong', async () => {
    const cwd = folder();
    expect(
      spawnSync(process.execPath, [opSdk, ...init, '--skip-install', '--project-name', 'x'], { cwd }).status,
    ).toBe(0);
    const run = await onTerminal(
      cwd,
      ['create', 'api', '--version', 'v1'],
      [
        ['Group', 'cache\r'],
        ['Kind', 'redis\r'],
        ['must begin with an upper-case letter', '\u007f'.repeat(5)],
        ['Kind', 'Redis\r'],
        ['Create Resource', '\r'],
        ['Create Controller', 'n'],
      ],
    );
    expect(run.code, run.screen).toBe(0);
    expect(run.screen).toContain('Next: ');
    const tree = treeOf(cwd);
    expect(tree).toHaveProperty(['src/api/cache/v1/redis.ts']);
    expect(tree).not.toHaveProperty(['src/controllers/cache/redis.ts']);
  });

  test('Ctrl-C at a question writes nothing and exits 130', async () => {
    const cwd = folder();
    const run = await onTerminal(cwd, ['init'], [['Domain', '\u0003']]);
    expect(run.code, run.screen).toBe(130);
    expect(run.screen).toContain('interrupted');
    expect(treeOf(cwd)).toEqual({});
  });

  test('outside of a project nothing is asked', async () => {
    const run = await onTerminal(folder(), ['create', 'api'], []);
    expect(run.code).toBe(1);
    expect(run.screen).toContain('project/not-found');
  });
});

if (!hasTerminal) {
  test('questions on a terminal', (context) => {
    context.skip('there is no `script` that makes a pseudo-terminal on this machine');
  });
}
