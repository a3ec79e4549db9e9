// What V8 made of the compiler is kept on Node 20; a damaged or missing cache changes nothing but the time.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import Module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { treeOf } from '../helpers/tree.ts';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-compiled-code-'));
const project = join(scratch, 'project');
const cache = join(scratch, 'cache');
const kept = join(cache, 'op-sdk', 'compiled');

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawnSync(process.execPath, [opSdk, ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: cache, OPSDK_NO_CACHE: '', ...env },
  });
}

/** Generates once more, which must change nothing. */
function generate(env: Readonly<Record<string, string>> = {}) {
  const before = treeOf(project);
  const { status, stderr, signal } = run(['generate', 'manifests', '--no-cache'], env);
  expect({ status, signal }, stderr).toEqual({ status: 0, signal: null });
  expect(treeOf(project)).toEqual(before);
}

const files = (): readonly string[] => (existsSync(kept) ? readdirSync(kept) : []);
const onlyFile = (): string => {
  expect(files()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.bin$/)]);
  return join(kept, files()[0] ?? '');
};

beforeAll(() => {
  mkdirSync(project);
  for (const args of [
    ['init', '--domain', 'example.com', '--skip-install', '--opsdk', '^0.1.0'],
    ['create', 'api', '--group', 'cache', '--version', 'v1', '--kind', 'Memcached'],
    ['generate', 'manifests'],
  ])
    expect(run(args).status, args.join(' ')).toBe(0);
});

beforeEach(() => rmSync(cache, { recursive: true, force: true }));

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.runIf(!('enableCompileCache' in Module))('compiled code on Node 20', () => {
  test('is kept once, and used from then on', () => {
    generate();
    const code = readFileSync(onlyFile());
    generate();
    expect(readFileSync(onlyFile()).equals(code)).toBe(true);
  });

  test.each([
    ['empty', () => Buffer.alloc(0)],
    ['no code', () => Buffer.from('no code')],
    ['cut off', (code: Buffer) => code.subarray(0, code.length / 2)],
    [
      'damaged',
      (code: Buffer) => {
        for (let at = 4096; at < code.length; at += 997) code[at] = 255 - (code[at] ?? 0);
        return code;
      },
    ],
  ])('is made again where it is %s', (_, damaged) => {
    generate();
    const file = onlyFile();
    const bad = damaged(readFileSync(file));
    writeFileSync(file, bad);
    generate();
    expect(readFileSync(onlyFile()).length).toBeGreaterThan(1_000_000);
    expect(readFileSync(onlyFile()).equals(bad)).toBe(false);
  });

  test('is not kept where OPSDK_NO_CACHE forbids it', () => {
    generate({ OPSDK_NO_CACHE: '1' });
    expect(files()).toEqual([]);
  });

  test('is not kept where its folder cannot be made', () => {
    mkdirSync(cache);
    writeFileSync(join(cache, 'op-sdk'), '');
    generate();
    expect(readdirSync(cache)).toEqual(['op-sdk']);
  });
});

test.runIf('enableCompileCache' in Module)('later versions of Node keep compiled code themselves', () => {
  generate();
  expect(files()).toEqual([]);
});
