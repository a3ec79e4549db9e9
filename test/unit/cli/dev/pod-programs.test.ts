// The file that names programs for the containers of `op-sdk dev`.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { ownProgram, readPodPrograms } from '../../../../src/cli/actions/dev/pod-programs.ts';
import type { ContainerToRun, Processes } from '../../../../src/testing/index.ts';

const cwd = mkdtempSync(join(tmpdir(), 'op-sdk-programs-'));
const path = join(cwd, 'bin');
const assets = join(cwd, 'assets');
for (const folder of [path, assets, join(cwd, 'tools'), join(path, 'folder')]) mkdirSync(folder);
for (const file of ['bin/cached', 'bin/cachectl', 'assets/etcd', 'assets/cached', 'tools/run.sh']) {
  writeFileSync(join(cwd, file), '');
  chmodSync(join(cwd, file), 0o755);
}
writeFileSync(join(path, 'notes'), '');
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function read(content: string, folders = path): Promise<Processes> {
  writeFileSync(join(cwd, 'programs.yaml'), content);
  return readPodPrograms('programs.yaml', { cwd, path: folders, assets });
}

/** Returns the findings of a file that is refused, each as one line. */
async function refused(content: string): Promise<readonly string[]> {
  try {
    await read(content);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return error.findings.map(({ code, message }) => `${code}: ${message}`);
  }
  throw new Error('the file was accepted');
}

const container = (command: readonly string[], args: readonly string[] = []): ContainerToRun =>
  ({ command, args }) as unknown as ContainerToRun;

test('a container runs the program that its command names, else the first one', async () => {
  const processes = await read('cache: [cached, cachectl]\nquay.io/coreos/etcd: etcd\n');
  const run = processes['cache'];
  expect(await run?.(container([], ['--port=1']))).toEqual({
    file: join(path, 'cached'),
    args: ['--port=1'],
  });
  expect(await run?.(container(['/usr/bin/cachectl', 'save'], ['now']))).toEqual({
    file: join(path, 'cachectl'),
    args: ['save', 'now'],
  });
  expect(await processes['quay.io/coreos/etcd']?.(container([]))).toEqual({
    file: join(assets, 'etcd'),
    args: [],
  });
  expect(() => run?.(container(['sh', '-c', 'true']))).toThrow(
    'programs.yaml names no program "sh" for cache: expected one of cached, cachectl',
  );
});

test('a name with a slash is a path relative to the project', async () => {
  const processes = await read('job: tools/run.sh\n');
  expect(await processes['job']?.(container(['/app/run.sh', 'a']))).toEqual({
    file: join(cwd, 'tools/run.sh'),
    args: ['a'],
  });
});

test("a container of the operator's own image runs the bundle with its arguments", async () => {
  const programSettings = { nodeFlags: ['--import=file:///names.js'], env: { OPSDK_PROGRAMS: 'true' } };
  const run = ownProgram('/project/dist/dev.mjs', { programSettings });
  expect(await run(container([], ['backup', '--to=x']))).toEqual({
    file: process.execPath,
    args: ['--import=file:///names.js', '/project/dist/dev.mjs', 'backup', '--to=x'],
    env: { OPSDK_PROGRAMS: 'true' },
  });
  expect(() => run(container(['node', 'main.mjs']))).toThrow('runs here with args alone');
});

test('a program of a relative folder of PATH is found from the folder of a Pod, too', async () => {
  const processes = await read('cache: cached\n', relative(process.cwd(), path));
  expect(await processes['cache']?.(container([]))).toMatchObject({ file: join(path, 'cached') });
});

test('a folder does not count as a program', async () => {
  expect(await refused('a: ./tools\nb: folder\n')).toEqual([
    'testenv/program-missing: the program "./tools" for containers of a was not found',
    'testenv/program-missing: the program "folder" for containers of b was not found',
  ]);
});

test('what no container could choose is refused', async () => {
  expect(await refused('a: [bin/cached, assets/cached]\n---\na: etcd\n')).toEqual([
    'testenv/invalid-programs: containers of a: expected one program called "cached", got two',
    'testenv/invalid-programs: the image a is named by two documents',
  ]);
});

test('an empty file names nothing', async () => {
  expect(await read('# none yet\n')).toEqual({});
});

test('all faults are reported at once, with their places', async () => {
  expect(await refused('cache: [nowhere, cached]\njob: tools/other.sh\nplain: notes\n')).toEqual([
    'testenv/program-missing: the program "nowhere" for containers of cache was not found',
    'testenv/program-missing: the program "tools/other.sh" for containers of job was not found',
    'testenv/program-missing: the program "notes" for containers of plain was not found',
  ]);
  const found = await refused('cache: 3\nempty: []\nblank: " "\nnested: { etcd: etcd }\n');
  expect(found).toHaveLength(4);
  for (const finding of found) expect(finding).toMatch(/^testenv\/invalid-programs: /);
  expect(await refused('- etcd\n')).toEqual([expect.stringMatching(/^testenv\/invalid-programs: /)]);
});
