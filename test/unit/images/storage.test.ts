import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  checkDestination,
  formatReference,
  imageParts,
  joinPlatforms,
  listLayout,
  openCached,
  parseDestination,
  parseReference,
  resolvePlace,
  readBlob,
  readLayout,
  storeImage,
  writeImage,
  type ImageContent,
} from '../../../src/images/index.ts';
import { amd64, arm64, smallImage } from './images.ts';
import { readTar } from './read-tar.ts';
import { tempFolder } from './temp-folder.ts';

const folder = tempFolder();
const reference = parseReference('registry.example.com/team/demo:v0.1.0');
const name = formatReference(reference);

async function blobsOf(content: ImageContent): Promise<string[]> {
  const { blobs, manifests } = await imageParts(content);
  return [...blobs, ...manifests].map(({ digest }) => digest.slice('sha256:'.length)).sort();
}
const blobsIn = (layout: string): string[] => readdirSync(join(layout, 'blobs/sha256')).sort();

describe('a layout', () => {
  const layout = () => resolvePlace(folder(), 'images');

  test('gives back what was stored under a name', async () => {
    const { content } = smallImage();
    expect(await storeImage(layout(), name, content, { remove: 'unreferenced' })).toBe(true);
    expect(await listLayout(layout())).toMatchObject([{ name, root: { digest: content.root.digest } }]);
    const read = await readLayout(layout(), name);
    for (const part of (await imageParts(content)).blobs)
      expect(await readBlob(read, part)).toEqual(await readBlob(content, part));
  });

  test('a second time nothing changes', async () => {
    const { content } = smallImage();
    await storeImage(layout(), name, content, { remove: 'unreferenced' });
    const before = readFileSync(join(layout().path, 'index.json'), 'utf8');
    expect(await storeImage(layout(), name, content, { remove: 'unreferenced' })).toBe(false);
    expect(readFileSync(join(layout().path, 'index.json'), 'utf8')).toBe(before);
  });

  test('what was stored last comes last, also when it is stored again', async () => {
    const [one, two] = ['1', '2'].map((text) => smallImage({ files: { 'a.txt': text } }).content);
    if (one === undefined || two === undefined) return expect.fail();
    const names = async () => (await listLayout(layout())).map((entry) => entry.name);
    await storeImage(layout(), 'example.com/x:v1', one, { remove: 'unreferenced' });
    await storeImage(layout(), 'example.com/x:v2', two, { remove: 'unreferenced' });
    expect(await storeImage(layout(), 'example.com/x:v1', one, { remove: 'unreferenced' })).toBe(false);
    expect(await names()).toEqual(['example.com/x:v2', 'example.com/x:v1']);
    await storeImage(layout(), 'example.com/x:v2', one, { remove: 'unreferenced' });
    expect(await names()).toEqual(['example.com/x:v1', 'example.com/x:v2']);
    expect(blobsIn(layout().path)).toEqual(await blobsOf(one));
  });

  test('what a replaced image has left is removed, and nothing else', async () => {
    const [one, two, other] = ['1', '2', '3'].map((text) => smallImage({ files: { 'a.txt': text } }).content);
    if (one === undefined || two === undefined || other === undefined) return expect.fail();
    await storeImage(layout(), 'example.com/other:v1', other, { remove: 'unreferenced' });
    await storeImage(layout(), name, one, { remove: 'unreferenced' });
    await storeImage(layout(), name, two, { remove: 'unreferenced' });
    expect(blobsIn(layout().path)).toEqual([...(await blobsOf(other)), ...(await blobsOf(two))].sort());
    expect((await listLayout(layout())).map((entry) => entry.name)).toEqual(['example.com/other:v1', name]);
  });

  test("in somebody else's layout, blobs that no image refers to stay", async () => {
    const [one, two] = ['1', '2'].map((text) => smallImage({ files: { 'a.txt': text } }).content);
    if (one === undefined || two === undefined) return expect.fail();
    await storeImage(layout(), name, one, { remove: 'replaced' });
    const stray = 'f'.repeat(64);
    writeFileSync(join(layout().path, 'blobs/sha256', stray), 'mine');
    await storeImage(layout(), name, two, { remove: 'replaced' });
    expect(blobsIn(layout().path)).toEqual([...(await blobsOf(two)), stray].sort());
  });

  test('images that are stored at the same time are all there', async () => {
    const images = Array.from({ length: 8 }, (_, index) => smallImage({ files: { 'a.txt': String(index) } }));
    await Promise.all(
      images.map(({ content }, index) =>
        storeImage(layout(), `example.com/x:v${index}`, content, { remove: 'unreferenced' }),
      ),
    );
    expect(await listLayout(layout())).toHaveLength(8);
    for (const [index, { content }] of images.entries())
      expect((await readLayout(layout(), `example.com/x:v${index}`)).root.digest).toBe(content.root.digest);
  });

  test('a damaged blob is found when it is read, and written again when it is stored', async () => {
    const { content } = smallImage();
    await storeImage(layout(), name, content, { remove: 'unreferenced' });
    const [blob] = (await imageParts(content)).blobs;
    if (blob === undefined) return expect.fail();
    const file = join(layout().path, 'blobs/sha256', blob.digest.slice('sha256:'.length));
    writeFileSync(file, Buffer.alloc(blob.size));
    await expect(readBlob(await readLayout(layout(), name), blob)).rejects.toThrow(/oci\/digest-mismatch/);
    expect(await storeImage(layout(), name, content, { remove: 'unreferenced' })).toBe(true);
    expect(await readBlob(await readLayout(layout(), name), blob)).toEqual(await readBlob(content, blob));
  });

  test('an unknown name is reported with the existing ones', async () => {
    await storeImage(layout(), name, smallImage().content, { remove: 'unreferenced' });
    await expect(readLayout(layout(), 'example.com/other:v1')).rejects.toThrow(name);
  });

  test('a folder of other things is not filled with blobs', async () => {
    mkdirSync(layout().path);
    writeFileSync(join(layout().path, 'thesis.txt'), '');
    await expect(
      storeImage(layout(), name, smallImage().content, { remove: 'unreferenced' }),
    ).rejects.toThrow(/oci\/not-a-layout.*thesis.txt/);
    expect(readdirSync(layout().path)).toEqual(['thesis.txt']);
  });

  test('an image that cannot be read leaves nothing behind', async () => {
    const { content } = smallImage();
    const broken: ImageContent = {
      root: content.root,
      async *read(descriptor) {
        if (descriptor.mediaType.includes('layer')) throw new Error('torn');
        yield* content.read(descriptor);
      },
    };
    await expect(storeImage(layout(), name, broken, { remove: 'unreferenced' })).rejects.toThrow('torn');
    expect(existsSync(layout().path)).toBe(false);
  });
});

describe('destinations', () => {
  test.each([
    ['oci:out', 'oci'],
    ['oci-archive:out.tar', 'oci-archive'],
    ['docker-archive:out.tar', 'docker-archive'],
  ])('%s', (text, kind) => {
    expect(parseDestination(text, folder())).toMatchObject({ kind });
  });

  test.each(['out', 'oci:', 'docker://x', 'oci:a:b', 'dir:out'])('%s is refused', (text) => {
    expect(() => parseDestination(text, folder())).toThrow(/oci\/invalid-destination/);
  });

  test('what cannot be written is found before anything is', async () => {
    writeFileSync(join(folder(), 'file'), '');
    for (const text of ['oci:file', 'oci:file/x', 'oci-archive:file/x.tar']) {
      const found = await checkDestination(parseDestination(text, folder()));
      expect(found, text).toMatchObject([{ code: 'io/cannot-write' }]);
    }
    mkdirSync(join(folder(), 'dir'));
    expect(await checkDestination(parseDestination('oci-archive:dir', folder()))).toHaveLength(1);
    expect(await checkDestination(parseDestination('oci:new/deep/down', folder()))).toEqual([]);
  });

  test.each(['oci-archive', 'docker-archive'] as const)(
    '%s: the same image gives the same bytes',
    async (kind) => {
      const format = kind === 'docker-archive' ? 'docker' : 'oci';
      const destination = parseDestination(`${kind}:sub/out.tar`, folder());
      const { content } = smallImage({ format });
      expect(await writeImage(destination, reference, content)).toBe(true);
      const bytes = readFileSync(destination.place.path);
      expect(await writeImage(destination, reference, content)).toBe(false);
      expect(readFileSync(destination.place.path).equals(bytes)).toBe(true);
      const files = readTar(bytes).map(({ path }) => path);
      expect(files).toContain(kind === 'docker-archive' ? 'manifest.json' : 'index.json');
    },
  );

  test('a docker archive names the image and its layers', async () => {
    const destination = parseDestination('docker-archive:out.tar', folder());
    await writeImage(destination, reference, smallImage({ format: 'docker' }).content);
    const entries = readTar(readFileSync(destination.place.path));
    const manifest = entries.find(({ path }) => path === 'manifest.json')?.content ?? '';
    const [image] = JSON.parse(manifest) as { RepoTags: string[]; Config: string; Layers: string[] }[];
    expect(image?.RepoTags).toEqual([name]);
    const paths = entries.map(({ path }) => path);
    for (const file of [image?.Config, ...(image?.Layers ?? [])]) expect(paths).toContain(file);
  });

  test('several platforms do not fit into a docker archive', async () => {
    const index = joinPlatforms(
      [amd64, arm64].map((platform) => smallImage({ platform, format: 'docker' })),
      'docker',
    );
    const destination = parseDestination('docker-archive:out.tar', folder());
    await expect(writeImage(destination, reference, index)).rejects.toThrow(/oci\/archive-form/);
    expect(existsSync(destination.place.path)).toBe(false);
  });
});

describe('the cache of base images', () => {
  const { content } = smallImage();
  const { signal } = new AbortController();
  const counting = () => {
    const count = { pulls: 0, reads: 0 };
    const pull = (): Promise<ImageContent> => {
      count.pulls += 1;
      const read = async function* (descriptor: Parameters<ImageContent['read']>[0]) {
        count.reads += 1;
        yield* content.read(descriptor);
      };
      return Promise.resolve({ root: content.root, read });
    };
    return { count, pull };
  };

  test('a tag is asked for each time, its blobs are read once', async () => {
    const { count, pull } = counting();
    const cache = resolvePlace(folder(), 'cache');
    for (let round = 0; round < 3; round += 1) {
      const cached = await openCached(cache, reference, pull, signal);
      expect(await blobsOf(cached)).toEqual(await blobsOf(content));
      for (const part of (await imageParts(cached)).blobs) await readBlob(cached, part);
    }
    expect(count).toEqual({ pulls: 3, reads: 3 });
  });

  test('a digest needs the registry only once', async () => {
    const { count, pull } = counting();
    const cache = resolvePlace(folder(), 'cache');
    const exact = { ...reference, digest: content.root.digest };
    for (let round = 0; round < 3; round += 1) {
      const cached = await openCached(cache, exact, pull, signal);
      for (const part of (await imageParts(cached)).blobs) await readBlob(cached, part);
    }
    expect(count.pulls).toBe(1);
  });

  test('a registry that does not answer is not answered for by the cache', async () => {
    const cache = resolvePlace(folder(), 'cache');
    await openCached(cache, reference, counting().pull, signal);
    await expect(
      openCached(cache, reference, () => Promise.reject(new Error('away')), signal),
    ).rejects.toThrow('away');
  });
});
