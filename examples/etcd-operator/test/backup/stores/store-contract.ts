import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BackupStore, FileToPut } from '../../../src/backup/stores/backup-store.ts';

export const { signal } = new AbortController();

/** Returns a function that writes content to a file to put. The files go after the tests of the file. */
export function filesToPut(): (content: string | Buffer) => Promise<FileToPut> {
  let folder = '';
  let count = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'etcd-backup-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return async (content) => {
    const file = join(folder, String((count += 1)));
    await writeFile(file, content);
    return {
      file,
      sizeBytes: Buffer.byteLength(content),
      sha256: createHash('sha256').update(content).digest('hex'),
    };
  };
}

/** Reads a backup to its end. */
export async function contentOf(store: BackupStore, path: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await store.get(path, signal)).body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/**
 * Tests what all stores have in common.
 * @param root beginning of all paths, such as `backups/`
 */
export function itKeepsBackups(
  withStore: (use: (store: BackupStore) => Promise<void>) => Promise<void>,
  root: string,
): void {
  const file = filesToPut();
  const content = 'snapshot'.repeat(20_000);

  test('keeps, shows, replaces and deletes backups', () =>
    withStore(async (store) => {
      const path = `${root}team a/etcd+1 (old).db`;
      expect(await store.stat(path, signal)).toBeUndefined();
      const first = await file(content);
      await store.put(path, first, signal);
      const { sizeBytes, sha256 } = first;
      expect(await store.stat(path, signal)).toEqual({ path, sizeBytes, sha256 });
      expect(await contentOf(store, path)).toBe(content);
      await store.put(path, await file('other'), signal);
      expect(await contentOf(store, path)).toBe('other');
      await store.delete(path, signal);
      await store.delete(path, signal);
      expect(await store.stat(path, signal)).toBeUndefined();
      await expect(store.get(path, signal)).rejects.toMatchObject({ reason: 'BackupNotFound' });
    }));

  test('lists backups of a prefix in all pages', () =>
    withStore(async (store) => {
      expect(await store.list(`${root}a/etcd_`, signal)).toEqual([]);
      const names = ['a/etcd_3', 'a/etcd_1', 'a/etcd_2', 'a/etcd_4 & 5', 'a/etcdx', 'b/etcd_1'];
      for (const name of names) await store.put(`${root}${name}`, await file(name), signal);
      expect(await store.list(`${root}a/etcd_`, signal)).toEqual(
        ['a/etcd_1', 'a/etcd_2', 'a/etcd_3', 'a/etcd_4 & 5'].map((name) => ({
          path: `${root}${name}`,
          sizeBytes: name.length,
        })),
      );
    }));

  test('keeps an empty file', () =>
    withStore(async (store) => {
      await store.put(`${root}empty`, await file(''), signal);
      expect(await store.stat(`${root}empty`, signal)).toMatchObject({ sizeBytes: 0 });
      expect(await contentOf(store, `${root}empty`)).toBe('');
    }));

  test('refuses paths that lead elsewhere', () =>
    withStore(async (store) => {
      for (const path of [`${root}../x`, `${root}a//b`, `${root}./x`, '/etc/passwd', ''])
        await expect(store.stat(path, signal)).rejects.toMatchObject({ reason: 'PathInvalid' });
    }));

  test('ends with its signal', () =>
    withStore(async (store) => {
      const ended = AbortSignal.abort(new Error('out of time'));
      await expect(store.put(`${root}x`, await file('x'), ended)).rejects.toThrow('out of time');
      expect(await store.list(`${root}x`, signal)).toEqual([]);
    }));
}
