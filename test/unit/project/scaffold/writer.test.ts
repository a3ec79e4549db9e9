import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileChange } from '../../../../src/project/scaffold/plan-files.ts';
import { applyPlan } from '../../../../src/project/scaffold/writer.ts';
import { treeOf } from '../../../helpers/tree.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'opsdk-writer-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const apply = (...changes: FileChange[]) => applyPlan({ root, changes });
const read = (path: string) => readFile(join(root, path), 'utf8');

/** Applies changes that must fail with the codes, and must leave the tree as it was. */
async function refused(codes: readonly string[], ...changes: FileChange[]): Promise<void> {
  const before = treeOf(root);
  await expect(apply(...changes)).rejects.toMatchObject({
    findings: codes.map((code): unknown => expect.objectContaining({ code })),
  });
  expect(treeOf(root)).toEqual(before);
}

describe('applyPlan', () => {
  it('creates, updates and deletes, and leaves nothing else behind', async () => {
    await writeFile(join(root, 'old'), 'old', { mode: 0o640 });
    await chmod(join(root, 'old'), 0o640);
    await writeFile(join(root, 'gone'), 'x');
    await apply(
      { action: 'create', path: 'a/b/new', content: 'new' },
      { action: 'create', path: 'a/run', content: '#!/bin/sh\n', executable: true },
      { action: 'create', path: 'bytes', content: new Uint8Array([0, 255]) },
      { action: 'update', path: 'old', content: 'changed', before: 'old' },
      { action: 'delete', path: 'gone', before: 'x' },
      { action: 'unchanged', path: 'whatever' },
    );
    expect(Object.keys(treeOf(root))).toEqual(['a/', 'a/b/', 'a/b/new', 'a/run', 'bytes', 'old']);
    expect(await read('a/b/new')).toBe('new');
    expect(await read('old')).toBe('changed');
    expect([...(await readFile(join(root, 'bytes')))]).toEqual([0, 255]);
    expect((await stat(join(root, 'old'))).mode & 0o777).toBe(0o640);
    expect((await stat(join(root, 'a/run'))).mode & 0o111).not.toBe(0);
  });

  it('removes the folders that deletions leave empty, if the plan says so, and no others', async () => {
    for (const path of ['a/b/c/gone', 'a/b/also', 'a/stays', 'lone/gone']) {
      await mkdir(join(root, path, '..'), { recursive: true });
      await writeFile(join(root, path), 'x');
    }
    await mkdir(join(root, 'empty'));
    const deletions = ['a/b/c/gone', 'a/b/also', 'lone/gone'].map((path): FileChange => ({
      action: 'delete',
      path,
      before: 'x',
    }));
    await applyPlan({ root, changes: deletions, removesEmptyFolders: true });
    expect(Object.keys(treeOf(root))).toEqual(['a/', 'a/stays', 'empty/']);
  });

  it('refuses to change a text whose bytes are not UTF-8, and replaces or deletes it as a whole', async () => {
    const bytes = Buffer.from('# Caf\xe9\n', 'latin1');
    const before = bytes.toString('utf8');
    await writeFile(join(root, 'latin1'), bytes);
    await refused(['scaffold/not-utf8'], { action: 'update', path: 'latin1', content: 'x', before });
    await apply({ action: 'update', path: 'latin1', content: new Uint8Array([1]), before });
    await writeFile(join(root, 'latin1'), bytes);
    await apply({ action: 'delete', path: 'latin1', before });
  });

  it('reports every conflict and writes nothing', async () => {
    await writeFile(join(root, 'taken'), '1');
    await writeFile(join(root, 'edited'), 'by hand');
    await refused(
      ['scaffold/file-exists', 'scaffold/file-changed', 'scaffold/file-changed'],
      { action: 'create', path: 'fine', content: '' },
      { action: 'create', path: 'taken', content: '2' },
      { action: 'update', path: 'edited', content: '3', before: 'as planned' },
      { action: 'delete', path: 'absent', before: '4' },
    );
  });

  it('undoes everything when a later file cannot be written', async () => {
    await writeFile(join(root, 'first'), '1');
    await writeFile(join(root, 'file'), '');
    await refused(
      ['io/cannot-write'],
      { action: 'update', path: 'first', content: '2', before: '1' },
      { action: 'create', path: 'new/folder/x', content: '' },
      { action: 'create', path: 'file/below-a-file', content: '' },
    );
  });

  it('undoes what was renamed already when a file changes at the last moment', async () => {
    await writeFile(join(root, 'a'), '1');
    await writeFile(join(root, 'b'), '1');
    // Both changes are of one file: the second one finds it changed by the first.
    await refused(
      ['scaffold/file-changed'],
      { action: 'update', path: 'a', content: '2', before: '1' },
      { action: 'delete', path: 'b', before: '1' },
      { action: 'create', path: 'new/c', content: '1' },
      { action: 'update', path: 'a', content: '3', before: '1' },
    );
  });

  it('names the file and the reason of the operating system', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(apply({ action: 'create', path: 'file/x', content: '' })).rejects.toMatchObject({
      findings: [
        {
          code: 'io/cannot-write',
          where: { file: 'file/x' },
          message: expect.stringMatching(/^file\/x cannot be written: E[A-Z]+: /),
        },
      ],
    });
  });

  it.each(['../x', '/etc/x', 'a/../../x', 'a//b', ''])('refuses the path %j', async (path) => {
    await refused(['scaffold/outside-project'], { action: 'create', path, content: '' });
  });

  it('follows symbolic links inside the project and none out of it', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'opsdk-outside-'));
    try {
      await mkdir(join(root, 'real'));
      await writeFile(join(root, 'real/file'), '1');
      await symlink('real', join(root, 'inside'));
      await symlink('real/file', join(root, 'link'));
      await symlink(outside, join(root, 'outside'));
      await apply(
        { action: 'create', path: 'inside/new', content: 'n' },
        { action: 'update', path: 'link', content: '2', before: '1' },
      );
      expect(await read('real/new')).toBe('n');
      expect(await read('real/file')).toBe('2');
      expect((await lstat(join(root, 'link'))).isSymbolicLink()).toBe(true);
      await expect(apply({ action: 'delete', path: 'link', before: '2' })).rejects.toThrow(/linked-file/);
      expect(await read('real/file')).toBe('2');
      await expect(apply({ action: 'create', path: 'outside/x', content: '' })).rejects.toThrow(
        /outside-project/,
      );
      expect(await readdir(outside)).toEqual([]);
      await symlink('nowhere', join(root, 'dangling'));
      await expect(apply({ action: 'create', path: 'dangling', content: '' })).rejects.toThrow(
        /outside-project/,
      );
    } finally {
      await rm(outside, { recursive: true });
    }
  });
});
