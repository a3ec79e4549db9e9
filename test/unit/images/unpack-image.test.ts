import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../src/base/errors/index.ts';
import { verified, sha256 } from '../../../src/images/blob.ts';
import { tarBytes, type TarEntry } from '../../../src/base/util/write-tar.ts';
import { mediaTypes, type Descriptor, type ImageContent } from '../../../src/images/types.ts';
import { unpackImage } from '../../../src/images/unpack-image.ts';
import { treeOf } from '../../helpers/tree.ts';
import { tempFolder } from './temp-folder.ts';
import { tar } from '../testing/tar.ts';

const folder = tempFolder();

/** An image of these layers, each the bytes of an archive. */
function imageOf(layers: readonly Uint8Array[], mediaType: string = mediaTypes.oci.layer): ImageContent {
  const blobs = new Map<string, Uint8Array>();
  const add = (type: string, bytes: Uint8Array): Descriptor => {
    const digest = sha256(bytes);
    blobs.set(digest, bytes);
    return { mediaType: type, digest, size: bytes.length };
  };
  const manifest = {
    schemaVersion: 2,
    config: add(mediaTypes.oci.config, Buffer.from('{}')),
    layers: layers.map((bytes) => add(mediaType, bytes)),
  };
  return {
    root: add(mediaTypes.oci.manifest, Buffer.from(JSON.stringify(manifest))),
    async *read({ digest }) {
      yield blobs.get(digest) ?? expect.fail();
    },
  };
}

type Entry = TarEntry & { readonly content?: Uint8Array };

const archive = (...entries: Entry[]): Uint8Array => gzipSync(tarBytes(entries));
const file = (path: string, text: string): Entry => ({ path, content: Buffer.from(text) });

test('later layers cover earlier ones, and hide what they say', async () => {
  const image = imageOf([
    archive(file('manifests/a.yaml', 'old'), file('manifests/b.yaml', 'b'), file('gone/c', 'c')),
    archive(
      file('manifests/a.yaml', 'new'),
      file('manifests/.wh.b.yaml', ''),
      file('gone/.wh..wh..opq', ''),
      file('gone/d', 'd'),
      { path: 'link', linkTarget: 'manifests/a.yaml' },
    ),
  ]);
  await unpackImage(image, 'x', folder());
  expect(Object.keys(treeOf(folder())).sort()).toEqual([
    'gone/',
    'gone/d',
    'link',
    'manifests/',
    'manifests/a.yaml',
  ]);
  expect(readFileSync(join(folder(), 'manifests/a.yaml'), 'utf8')).toBe('new');
  expect(readlinkSync(join(folder(), 'link'))).toBe('manifests/a.yaml');
});

test('a file covers a folder of the layers below, and a folder covers a file', async () => {
  const image = imageOf([
    archive(file('a/b/c', '1'), file('d', '1')),
    archive(file('a', '2'), { path: 'd' }, file('d/e', '2')),
    archive({ path: 'a' }, file('a/f', '3')),
  ]);
  await unpackImage(image, 'x', folder());
  expect(Object.keys(treeOf(folder())).sort()).toEqual(['a/', 'a/f', 'd/', 'd/e']);
});

test('whatever an archive holds, it is refused or stays in its folder', async () => {
  const name = fc
    .array(fc.constantFrom('..', '.', '', 'a', 'b', '.wh.a', '.wh..wh..opq', 'c\0', '\\', 'é\u202e'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join('/'));
  const member = fc.record(
    {
      name,
      content: fc.uint8Array({ maxLength: 20 }),
      type: fc.constantFrom('0', '1', '2', '3', '5', '6', 'x', 'g', 'L'),
      target: fc.oneof(name, fc.constantFrom('/', '/etc/passwd', '../outside')),
    },
    { requiredKeys: ['name', 'type', 'target'] },
  );
  const layers = fc.array(fc.array(member, { maxLength: 6 }), { minLength: 1, maxLength: 3 });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(layers, async (all) => {
      const around = join(folder(), String(round++));
      const inside = join(around, 'inside');
      mkdirSync(inside, { recursive: true });
      writeFileSync(join(around, 'outside'), 'kept');
      const image = imageOf(all.map((members) => gzipSync(tar(members))));
      await unpackImage(image, 'x', inside).catch((error: unknown) => {
        if (!isOpSdkError(error)) throw error;
      });
      expect(readdirSync(around).sort()).toEqual(['inside', 'outside']);
      expect(readFileSync(join(around, 'outside'), 'utf8')).toBe('kept');
      for (const entry of readdirSync(inside, { recursive: true, withFileTypes: true })) {
        if (!entry.isSymbolicLink()) continue;
        const target = resolve(entry.parentPath, readlinkSync(join(entry.parentPath, entry.name)));
        expect(`${target}/`.startsWith(`${inside}/`), target).toBe(true);
      }
    }),
  );
});

test('a layer without compression, with ./ in front of its paths', async () => {
  const plain = tar([
    { name: './' },
    { name: './manifests/' },
    { name: './manifests/a', content: Buffer.from('1') },
  ]);
  await unpackImage(imageOf([plain], 'application/vnd.oci.image.layer.v1.tar'), 'x', folder());
  expect(readFileSync(join(folder(), 'manifests/a'), 'utf8')).toBe('1');
});

describe('an image that is meant to harm', () => {
  test.each<readonly [string, readonly Uint8Array[], string]>([
    [
      'leads out of the folder',
      [gzipSync(tar([{ name: '../../outside', content: Buffer.from('x') }]))],
      'outside of the image',
    ],
    ['has too many bytes', [archive(file('a', 'x'.repeat(2_000)))], 'more than 1000 bytes'],
    [
      'has too many files',
      [archive(...Array.from({ length: 30 }, (_, at) => file(`f${at}`, '')))],
      'more than 20 files',
    ],
    ['is cut off', [gzipSync(tarBytes([file('a', 'x'.repeat(900))]).subarray(0, 700))], 'ends too early'],
    ['is no archive', [gzipSync(Buffer.alloc(2_048, 1))], 'not a tar archive'],
    [
      'has a file of many names',
      [
        gzipSync(
          tar([
            { name: 'a', content: Buffer.alloc(400) },
            ...['b', 'c'].map((name) => ({ name, type: '1', target: 'a' })),
          ]),
        ),
      ],
      'more than 1000 bytes',
    ],
    [
      'holds far more than its files',
      [gzipSync(tar([{ name: 'a', content: Buffer.alloc(50_000), type: '3' }]))],
      'more than 40000 bytes when they are uncompressed',
    ],
    [
      'has many folders by one file',
      [gzipSync(tar([{ name: 'a/'.repeat(30), content: Buffer.from('') }]))],
      'more than 20 files',
    ],
    ['has a name of many bytes', [archive(file('a'.repeat(300), ''))], 'is too long'],
    ['has a link to nothing', [gzipSync(tar([{ name: 'a', type: '2' }]))], 'a link to ""'],
    [
      'has a hard link to a file that it does not have',
      [gzipSync(tar([{ name: 'a', type: '1', target: 'b' }]))],
      'a hard link to "b", which is not a file of it',
    ],
    ['is not compressed as it says', [Buffer.from('plain')], 'incorrect header check'],
  ])('%s', async (_what, layers, message) => {
    const limits = { files: 1_000, archives: 40_000, members: 20 };
    await expect(unpackImage(imageOf(layers), 'the image', folder(), limits)).rejects.toThrow(message);
    expect(treeOf(folder())).toEqual({});
  });

  test('a path of many levels', async () => {
    const image = imageOf([archive(file(`${'a/'.repeat(70)}b`, ''))]);
    await expect(unpackImage(image, 'x', folder())).rejects.toThrow('is too long');
  });

  test('a file below a link is not written through it', async () => {
    const outside = join(folder(), 'outside');
    const inside = join(folder(), 'inside');
    mkdirSync(outside);
    mkdirSync(inside);
    const image = imageOf([
      archive({ path: 'metadata', linkTarget: outside }),
      gzipSync(tar([{ name: 'metadata/annotations.yaml', content: Buffer.from('x') }])),
    ]);
    await unpackImage(image, 'x', inside);
    expect(treeOf(outside)).toEqual({});
    expect(lstatSync(join(inside, 'metadata')).isSymbolicLink()).toBe(true);
  });

  test('links lead into the image, as in a container', async () => {
    const image = imageOf([
      archive({ path: 'a/up', linkTarget: '../../../etc/passwd' }, { path: 'a/root', linkTarget: '/etc' }),
    ]);
    await unpackImage(image, 'x', folder());
    expect(readlinkSync(join(folder(), 'a/up'))).toBe('../etc/passwd');
    expect(readlinkSync(join(folder(), 'a/root'))).toBe('../etc');
  });

  test('a layer with another digest is refused, though its archive can be read', async () => {
    const type = 'application/vnd.oci.image.layer.v1.tar';
    const image = imageOf([tarBytes([file('manifests/a', '1')])], type);
    const forged: ImageContent = {
      root: image.root,
      async *read(descriptor) {
        const isLayer = descriptor.mediaType === type;
        const bytes = isLayer
          ? Readable.from([tarBytes([file('manifests/a', '2')])])
          : image.read(descriptor);
        yield* verified(bytes as AsyncIterable<Uint8Array>, descriptor, 'the registry');
      },
    };
    await expect(unpackImage(forged, 'x', folder())).rejects.toThrow('sha256:');
    expect(treeOf(folder())).toEqual({});
  });
});
