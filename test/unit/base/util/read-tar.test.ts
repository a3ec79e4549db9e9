import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tarBytes } from '../../../../src/base/util/write-tar.ts';
import { readTar } from '../../../../src/base/util/read-tar.ts';

/** The bytes in pieces of the given sizes, over and over. */
async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function members(
  bytes: Uint8Array,
  sizes: readonly number[] = [512],
): Promise<[string, string, string][]> {
  const found: [string, string, string][] = [];
  for await (const member of readTar(pieces(bytes, sizes))) {
    const parts: Uint8Array[] = [];
    for await (const chunk of member.content()) parts.push(chunk);
    const content = Buffer.concat(parts);
    expect(content.length).toBe(member.size);
    found.push([member.path, member.type, member.target === '' ? content.toString('hex') : member.target]);
  }
  return found;
}

const name = fc.oneof(
  fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/),
  // Around the limits of the fields of a header, and beyond ASCII.
  fc.integer({ min: 90, max: 300 }).map((length) => 'n'.repeat(length)),
  fc.constantFrom('é', '漢字', '🦀'),
);

test('what the writer writes is read again, however the stream is cut', async () => {
  const file = fc.record({ path: name, content: fc.uint8Array({ maxLength: 1_500 }) });
  const link = fc.record({ path: name, linkTarget: name });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.oneof(file, link), { maxLength: 5, selector: ({ path }) => path }),
      fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 4 }),
      async (entries, sizes) => {
        const expected = entries.map((entry) =>
          'linkTarget' in entry
            ? [entry.path, 'symbolic link', entry.linkTarget]
            : [entry.path, 'file', Buffer.from(entry.content).toString('hex')],
        );
        const found = await members(tarBytes(entries), sizes);
        expect(found.sort()).toEqual(expected.sort());
      },
    ),
  );
});

test('bytes of any kind end, with members or an error', async () => {
  const archive = tarBytes([{ path: 'a'.repeat(200), content: Buffer.from('x'.repeat(700)) }]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(archive.length - 1), fc.nat(255)), { maxLength: 8 }),
      fc.nat(archive.length),
      async (edits, length) => {
        const bytes = Buffer.from(archive);
        for (const [at, byte] of edits) bytes[at] = byte;
        await members(bytes.subarray(0, length)).catch((error: unknown) => {
          expect(String(error)).toMatch(/tar archive/);
        });
      },
    ),
  );
});
