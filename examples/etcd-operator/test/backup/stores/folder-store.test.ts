import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FolderStore } from '../../../src/backup/stores/folder-store.ts';
import { filesToPut, itKeepsBackups, signal } from './store-contract.ts';

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'etcd-volume-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('a volume', () => {
  const file = filesToPut();
  itKeepsBackups((use) => withFolder((folder) => use(new FolderStore(folder))), '');

  test('has checksums for sha256sum', () =>
    withFolder(async (folder) => {
      const put = await file('content');
      await new FolderStore(folder).put('etcd/backup', put, signal);
      expect(await readFile(join(folder, 'etcd/backup.sha256'), 'utf8')).toBe(`${put.sha256}  backup\n`);
      expect(await readdir(join(folder, 'etcd'))).toEqual(['backup', 'backup.sha256']);
    }));

  test('does not show what was being written', () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, 'backup_1.part'), 'half');
      await writeFile(join(folder, 'backup_2'), 'by hand');
      const store = new FolderStore(folder);
      expect(await store.list('backup_', signal)).toEqual([{ path: 'backup_2', sizeBytes: 7 }]);
      expect(await store.stat('backup_2', signal)).toMatchObject({ sha256: undefined });
    }));

  test('says what is in the way', () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, 'etcd'));
      const store = new FolderStore(folder);
      const put = store.put('etcd', await file('x'), signal);
      await expect(put).rejects.toMatchObject({
        reason: 'StoreFailed',
        message: expect.stringMatching(/^put etcd: E/) as string,
      });
    }));
});
