import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigFiles } from '../../../../../src/testing/node/processes/config-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'config-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');

test('files change all at once, and old ones go', async () => {
  const files = new ConfigFiles(folder);
  await files.write(
    new Map([
      ['a', 'one'],
      ['dir/b', 'two'],
      ['c', 'three'],
    ]),
  );
  expect([await read('a'), await read('dir/b'), await read('c')]).toEqual(['one', 'two', 'three']);
  const before = await readlink(join(folder, '..data'));
  await files.write(
    new Map([
      ['a', 'one'],
      ['dir/b', 'two'],
      ['c', 'three'],
    ]),
  );
  expect(await readlink(join(folder, '..data'))).toBe(before);
  await files.write(
    new Map<string, string | Uint8Array>([
      ['a', 'new'],
      ['d', new Uint8Array([52])],
    ]),
  );
  expect([await read('a'), await read('d')]).toEqual(['new', '4']);
  const names = await readdir(folder);
  expect(names.filter((name) => !name.startsWith('..')).sort()).toEqual(['a', 'd']);
  expect(names).not.toContain(before);
});
