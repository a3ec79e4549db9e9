import { mkdtemp, readdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigFiles } from '../../../../../src/testing/node/processes/config-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'config-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = (content: string | Uint8Array, mode = 0o644) => ({ content, mode });
const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');

test('files change all at once, and old ones go', async () => {
  const files = new ConfigFiles(folder);
  await files.write(
    new Map([
      ['a', file('one')],
      ['dir/b', file('two')],
      ['c', file('three')],
    ]),
  );
  expect([await read('a'), await read('dir/b'), await read('c')]).toEqual(['one', 'two', 'three']);
  const before = await readlink(join(folder, '..data'));
  await files.write(
    new Map([
      ['a', file('one')],
      ['dir/b', file('two')],
      ['c', file('three')],
    ]),
  );
  expect(await readlink(join(folder, '..data'))).toBe(before);
  await files.write(
    new Map([
      ['a', file('new')],
      ['d', file(new Uint8Array([52]))],
    ]),
  );
  expect([await read('a'), await read('d')]).toEqual(['new', '4']);
  const names = await readdir(folder);
  expect(names.filter((name) => !name.startsWith('..')).sort()).toEqual(['a', 'd']);
  expect(names).not.toContain(before);
});

test('files have their permissions, and stay readable for their owner', async () => {
  const files = new ConfigFiles(join(folder, 'modes'));
  await files.write(
    new Map([
      ['run.sh', file('', 0o755)],
      ['group', file('', 0o040)],
    ]),
  );
  const mode = async (name: string): Promise<number> =>
    (await stat(join(folder, 'modes', name))).mode & 0o700;
  expect([await mode('run.sh'), await mode('group')]).toEqual([0o700, 0o400]);
});

test('a link that a failed write has left does not stop the next one', async () => {
  const files = new ConfigFiles(join(folder, 'left'));
  await files.write(new Map([['a', file('one')]]));
  await symlink('nowhere', join(folder, 'left', '..data_tmp'));
  await files.write(new Map([['a', file('two')]]));
  expect(await read('left/a')).toBe('two');
});
