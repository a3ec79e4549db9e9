// Commands that write at the same time, and commands that are killed while they write: with real processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../helpers/random.ts';
import { rounds } from '../helpers/rounds.ts';
import { treeOf } from '../helpers/tree.ts';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));
let scratch = '';
let template = '';

/** A run of op-sdk in a process of its own. */
function start(cwd: string, argv: readonly string[]) {
  const child = spawn(process.execPath, [opSdk, ...argv], {
    cwd,
    env: { ...process.env, OPSDK_NO_CACHE: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stderr = text(child.stderr);
  const ended = once(child, 'exit').then(async ([code]) => ({
    code: code as number | null,
    stderr: await stderr,
  }));
  return { kill: () => child.kill('SIGKILL'), ended };
}

const createApi = (kind: string): readonly string[] => [
  'create',
  'api',
  '--group',
  'cache',
  '--version',
  'v1',
  '--kind',
  kind,
];

async function done(cwd: string, argv: readonly string[]): Promise<string> {
  const { code, stderr } = await start(cwd, argv).ended;
  expect(code, stderr).toBe(0);
  return stderr;
}

function project(): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  cpSync(template, folder, { recursive: true });
  return folder;
}

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-writes-'));
  template = join(scratch, 'cache-operator');
  mkdirSync(template);
  await done(template, ['init', '--domain', 'example.com', '--skip-install', '--opsdk', '^0.1.0']);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Milliseconds that a round may take on a busy machine. */
const patience = 120_000;

test('two kinds that are created at once are both there', { timeout: patience * rounds(2) }, async () => {
  let waited = 0;
  for (let round = 0; round < rounds(2); round++) {
    const folder = project();
    const runs = await Promise.all(
      ['Redis', 'Memcached'].map((kind) => start(folder, createApi(kind)).ended),
    );
    for (const { code, stderr } of runs) {
      expect(code, stderr).toBe(0);
      if (/^› waiting for `op-sdk create api` \(pid \d+\)$/m.test(stderr)) waited += 1;
    }
    for (const kind of ['Redis', 'Memcached']) {
      expect(readFileSync(join(folder, 'PROJECT'), 'utf8'), `round ${round}`).toContain(`kind: ${kind}\n`);
      expect(readFileSync(join(folder, 'src/main.ts'), 'utf8')).toContain(`${kind.toLowerCase()}.ts`);
      const crds = readFileSync(join(folder, 'config/crd/kustomization.yaml'), 'utf8');
      expect(crds).toContain(`- bases/cache.example.com_${kind.toLowerCase()}`);
      expect(readFileSync(join(folder, 'config/rbac/role.yaml'), 'utf8')).toContain(kind.toLowerCase());
    }
    expect(Object.keys(treeOf(folder)).filter((path) => path.startsWith('.op-sdk'))).toEqual([]);
    rmSync(folder, { recursive: true });
  }
  expect(waited).toBeGreaterThan(0);
});

const killed = 'a command that is killed leaves whole files, and the next one finishes or undoes the rest';

test(killed, { timeout: patience * (rounds(3) + 1) }, async () => {
  const old = treeOf(template);
  const first = project();
  const began = performance.now();
  await done(first, createApi('Redis'));
  const duration = performance.now() - began;
  const fresh = treeOf(first);
  await done(first, createApi('Memcached'));
  const alone = project();
  await done(alone, createApi('Memcached'));
  const ends = [treeOf(first), treeOf(alone)];

  const random = createRandom(Number(process.env['FC_SEED'] ?? 20260101));
  for (let round = 0; round < rounds(3); round++) {
    const folder = project();
    const run = start(folder, createApi('Redis'));
    // Files are written at the end of a run.
    await sleep(duration * (0.6 + 0.4 * random.next()));
    run.kill();
    await run.ended;
    for (const [path, content] of Object.entries(treeOf(folder, ['node_modules', '.op-sdk']))) {
      if (/\.(?:new|old)$/.test(path) || path.endsWith('/')) continue;
      expect([old[path], fresh[path]], `${path}, round ${round}`).toContain(content);
    }
    await done(folder, createApi('Memcached'));
    expect(ends, `round ${round}`).toContainEqual(treeOf(folder));
    rmSync(folder, { recursive: true });
  }
});
