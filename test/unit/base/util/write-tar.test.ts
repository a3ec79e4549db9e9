import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { tarBytes, writeTar, type TarEntry } from '../../../../src/base/util/write-tar.ts';
import { readTar } from '../../images/read-tar.ts';

type Entry = TarEntry & { readonly content?: Uint8Array };

// Lengths around the limits of the fields of a header: 100 for names and links, 155 for prefixes.
const part = fc.oneof(
  fc.stringMatching(/^[a-z0-9][A-Za-z0-9 ._+-]{0,20}$/),
  fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🦀', '"', "'"), minLength: 1, maxLength: 30 }),
  fc.integer({ min: 90, max: 200 }).map((length) => 'n'.repeat(length)),
);
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const entry: fc.Arbitrary<Entry> = path.chain((name) =>
  fc.oneof(
    fc.record({ path: fc.constant(name), content: fc.uint8Array({ maxLength: 1_500 }) }),
    fc.record({
      path: fc.constant(name),
      content: fc.uint8Array({ maxLength: 20 }),
      mode: fc.constantFrom(0o600, 0o644, 0o755),
    }),
    fc.record({ path: fc.constant(name), linkTarget: path }),
    fc.record({ path: fc.constant(name) }),
  ),
);
/** No file or link stands where another entry needs a folder. */
const entries = fc
  .uniqueArray(entry, { maxLength: 6, selector: ({ path: name }) => name })
  .filter((list) => list.every((a) => list.every((b) => !b.path.startsWith(`${a.path}/`) || isFolder(a))));

function isFolder({ content, linkTarget }: Entry): boolean {
  return content === undefined && linkTarget === undefined;
}

test('what is written is read again, sorted, with the folders above it', () => {
  fc.assert(
    fc.property(entries, (list) => {
      const read = readTar(tarBytes(list));
      for (const wanted of list) {
        const found = read.find(({ path: name }) => name === wanted.path);
        const type = isFolder(wanted) ? 'folder' : wanted.linkTarget === undefined ? 'file' : 'link';
        expect(found).toMatchObject({
          type,
          content: Buffer.from(wanted.content ?? []).toString('latin1'),
          linkTarget: wanted.linkTarget ?? '',
          mode: wanted.mode ?? { file: 0o644, folder: 0o755, link: 0o777 }[type],
          uid: 0,
          gid: 0,
          mtime: 0,
        });
      }
      const paths = read.map(({ path: name }) => name);
      expect(paths).toEqual(paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
      for (const name of paths)
        if (name.includes('/')) expect(paths).toContain(name.slice(0, name.lastIndexOf('/')));
    }),
  );
});

test('the order of the entries does not matter', () => {
  fc.assert(
    fc.property(entries, (list) => {
      expect(tarBytes(list.toReversed()).equals(tarBytes(list))).toBe(true);
    }),
  );
});

test('bytes that come in pieces make the same archive', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (list) => {
      const streamed = list.map(({ content, ...rest }) =>
        content === undefined
          ? rest
          : { ...rest, content: { size: content.length, read: () => halves(content) } },
      );
      expect((await gather(writeTar(streamed))).equals(tarBytes(list))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('owners are written', () => {
  const [read] = readTar(tarBytes([{ path: 'a' }], { uid: 65532, gid: 65531 }));
  expect(read).toMatchObject({ uid: 65532, gid: 65531 });
});

describe('refuses', () => {
  it.each(['', '/a', 'a/', 'a//b', './a', 'a/../b', '..', 'a\0b'])('the path %j', (name) => {
    expect(() => tarBytes([{ path: name }])).toThrow('not a path for an archive');
  });

  it('two entries of one path, and a file with something below it', () => {
    expect(() => tarBytes([{ path: 'a' }, { path: 'a' }])).toThrow('two entries are called a');
    const file = { path: 'a', content: Buffer.from('x') };
    expect(() => tarBytes([file, { path: 'a/b/c' }])).toThrow('a is not a folder, but holds a/b/c');
  });

  it('a source of another length than it said', async () => {
    const content = { size: 3, read: () => halves(Buffer.from('four')) };
    await expect(gather(writeTar([{ path: 'a', content }]))).rejects.toThrow('a has 4 bytes, not 3');
  });
});

const gnuTar =
  spawnSync('tar', ['--version'], { encoding: 'utf8' }).stdout?.startsWith('tar (GNU tar)') === true;

describe.skipIf(!gnuTar)(`GNU tar${gnuTar ? '' : ' (skipped: it is not on the PATH)'}`, () => {
  it('extracts what was written', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (list) => {
        const folder = await mkdtemp(join(tmpdir(), 'op-sdk-tar-'));
        try {
          const flags = ['-x', '-f', '-', '-p', '-C', folder, '--no-same-owner'];
          const run = spawnSync('tar', flags, { input: tarBytes(list), encoding: 'utf8' });
          expect(run.stderr).toBe('');
          for (const wanted of list) {
            const file = join(folder, wanted.path);
            if (wanted.linkTarget !== undefined) expect(await readlink(file)).toBe(wanted.linkTarget);
            else if (wanted.content === undefined) expect((await stat(file)).isDirectory()).toBe(true);
            else {
              expect(new Uint8Array(await readFile(file))).toEqual(new Uint8Array(wanted.content));
              expect((await stat(file)).mode & 0o777).toBe(wanted.mode ?? 0o644);
            }
          }
        } finally {
          await rm(folder, { recursive: true });
        }
      }),
      { numRuns: 25 },
    );
  });
});

async function* halves(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, bytes.length / 2);
  yield bytes.subarray(bytes.length / 2);
}

async function gather(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const list: Uint8Array[] = [];
  for await (const one of parts) list.push(one);
  return Buffer.concat(list);
}
