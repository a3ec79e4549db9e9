import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { untar } from '../../../src/testing/assets/download-archive.ts';
import { tar } from './tar.ts';

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The bytes in pieces of the given sizes, over and over. */
async function* pieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

test('extracts the wanted files, executable, however the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.uint8Array({ maxLength: 2_000 }),
      fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 5 }),
      (etcd, other, sizes) =>
        inFolder(async (folder) => {
          const archive = tar([
            { name: 'controller-tools/' },
            { name: 'controller-tools/README', content: other },
            { name: 'controller-tools/envtest/etcd', content: etcd },
          ]);
          const found = await untar(pieces(archive, sizes), folder, new Set(['etcd', 'kubectl']));
          expect([...found]).toEqual(['etcd']);
          expect(await readdir(folder)).toEqual(['etcd']);
          expect(new Uint8Array(await readFile(join(folder, 'etcd')))).toEqual(etcd);
          expect((await stat(join(folder, 'etcd'))).mode & 0o100).toBe(0o100);
        }),
    ),
    { numRuns: 30 },
  );
});

test('no path inside the archive leads out of the folder', async () => {
  await inFolder(async (folder) => {
    const archive = tar([{ name: '../../etcd', content: Buffer.from('x') }]);
    await untar(pieces(archive, [512]), folder, new Set(['etcd']));
    expect(await readdir(folder)).toEqual(['etcd']);
  });
});

test('an archive that ends too early is an error', async () => {
  await inFolder(async (folder) => {
    const archive = tar([{ name: 'etcd', content: Buffer.alloc(5_000) }]).subarray(0, 3_000);
    await expect(untar(pieces(archive, [700]), folder, new Set(['etcd']))).rejects.toThrow('ends too early');
  });
});

test('something other than an archive is an error', async () => {
  await inFolder(async (folder) => {
    const bytes = Buffer.alloc(2_048, 'not a tar archive ');
    await expect(untar(pieces(bytes, [700]), folder, new Set(['etcd']))).rejects.toThrow('not a tar archive');
  });
});
