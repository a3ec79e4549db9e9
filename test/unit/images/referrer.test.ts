import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pushImage } from '../../../src/images/registry/push-image.ts';
import {
  attach,
  formatReference,
  imageParts,
  listLayout,
  parseDestination,
  parseReference,
  readBlob,
  readLayout,
  resolvePlace,
  storeImage,
  writeImage,
  type ImageContent,
} from '../../../src/images/index.ts';
import { app, quickOptions, scriptedRegistry, type Fault } from '../../helpers/scripted-registry.ts';
import { smallImage } from './images.ts';
import { readTar } from './read-tar.ts';
import { tempFolder } from './temp-folder.ts';
import { readFileSync } from 'node:fs';

const folder = tempFolder();
const layout = () => resolvePlace(folder(), 'images');
const reference = parseReference('registry.example.com/team/demo:v0.1.0');
const name = formatReference(reference);

const image = (text = 'hello'): ImageContent => smallImage({ files: { 'a.txt': text } }).content;
const attached = (text = 'bill', content = image()): ImageContent =>
  attach(content, {
    mediaType: 'application/vnd.cyclonedx+json',
    bytes: Buffer.from(text),
    fileName: 'sbom.json',
  });
const store = (content: ImageContent, as = name) =>
  storeImage(layout(), as, content, { remove: 'unreferenced' });

/** The attached documents of an image. */
async function documents(content: ImageContent): Promise<string[]> {
  const found: string[] = [];
  for (const referrer of content.referrers ?? []) {
    const manifest = JSON.parse((await readBlob(content, referrer)).toString('utf8')) as {
      layers: { mediaType: string; digest: string; size: number }[];
    };
    for (const layer of manifest.layers) found.push((await readBlob(content, layer)).toString('utf8'));
  }
  return found;
}
const blobs = (): string[] => readdirSync(join(layout().path, 'blobs/sha256')).sort();

describe('a document that is attached to an image', () => {
  test('is an artifact about the image, which keeps its digest', async () => {
    const content = attached();
    expect(content.root).toEqual(image().root);
    const [referrer] = content.referrers ?? [];
    if (referrer === undefined) return expect.fail();
    expect(JSON.parse((await readBlob(content, referrer)).toString('utf8'))).toMatchObject({
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      artifactType: 'application/vnd.cyclonedx+json',
      config: { mediaType: 'application/vnd.oci.empty.v1+json', size: 2 },
      layers: [{ annotations: { 'org.opencontainers.image.title': 'sbom.json' }, size: 4 }],
      subject: image().root,
    });
  });

  describe('in a layout', () => {
    test('is read with the image, and a second time nothing changes', async () => {
      expect(await store(attached())).toBe(true);
      expect(await documents(await readLayout(layout(), name))).toEqual(['bill']);
      expect(await documents(await readLayout(layout()))).toEqual(['bill']);
      expect(await listLayout(layout())).toHaveLength(1);
      const before = readFileSync(join(layout().path, 'index.json'), 'utf8');
      expect(await store(attached())).toBe(false);
      expect(readFileSync(join(layout().path, 'index.json'), 'utf8')).toBe(before);
    });

    test('goes with the image that is replaced, and with a build that has none', async () => {
      await store(image('other'), 'example.com/other:v1');
      const bare = blobs();
      await store(attached());
      await store(attached('another bill', image('changed')));
      expect(await documents(await readLayout(layout(), name))).toEqual(['another bill']);
      expect(await store(image('changed'))).toBe(true);
      expect((await readLayout(layout(), name)).referrers).toBeUndefined();
      await store(image('other'), name);
      expect(blobs()).toEqual(bare);
    });

    test('stays while another name has the same image', async () => {
      await store(attached());
      await store(attached(), 'example.com/other:v1');
      await store(image('changed'));
      expect(await documents(await readLayout(layout(), 'example.com/other:v1'))).toEqual(['bill']);
    });
  });

  test('is in an archive of a layout', async () => {
    const to = parseDestination('oci-archive:demo.tar', folder());
    await writeImage(to, reference, attached());
    const entries = readTar(readFileSync(join(folder(), 'demo.tar')));
    const index = entries.find(({ path }) => path === 'index.json')?.content ?? '';
    expect((JSON.parse(index) as { manifests: object[] }).manifests).toMatchObject([
      { artifactType: 'application/vnd.cyclonedx+json' },
      { digest: image().root.digest },
    ]);
    const { blobs, manifests } = await imageParts(attached());
    expect(entries.map(({ path }) => path)).toEqual(
      expect.arrayContaining([...blobs, ...manifests].map(({ digest }) => `blobs/sha256/${digest.slice(7)}`)),
    );
  });

  describe('in a registry', () => {
    const tag = `team/app:${image().root.digest.replace(':', '-')}`;
    const listed = (registry: Awaited<ReturnType<typeof scriptedRegistry>>): object[] => {
      const bytes = registry.manifests.get(`team/app@${registry.tags.get(tag)}`)?.bytes;
      return bytes === undefined
        ? []
        : (JSON.parse(bytes.toString('utf8')) as { manifests: object[] }).manifests;
    };

    test('that keeps no list of referrers, is listed under the tag of the image, once', async () => {
      await using registry = await scriptedRegistry();
      await pushImage(app(registry.host), attached(), quickOptions());
      expect(registry.tags.get('team/app:v1')).toBe(image().root.digest);
      const bill = attached().referrers?.[0];
      expect(listed(registry)).toEqual([bill]);
      await pushImage(app(registry.host), attached(), quickOptions());
      expect(listed(registry)).toEqual([bill]);
      await pushImage(app(registry.host), attached('newer'), quickOptions());
      expect(listed(registry)).toEqual([bill, attached('newer').referrers?.[0]]);
    });

    test('that keeps a list, is pushed under its digest alone', async () => {
      const keepsList: Fault = {
        on: /^PUT .*manifests\/sha256:/,
        times: 9,
        answer: (_, response) => {
          response.setHeader('oci-subject', image().root.digest);
          return false;
        },
      };
      await using registry = await scriptedRegistry({ faults: [keepsList] });
      await pushImage(app(registry.host), attached(), quickOptions());
      expect(registry.manifests.has(`team/app@${attached().referrers?.[0]?.digest}`)).toBe(true);
      expect([...registry.tags.keys()]).toEqual(['team/app:v1']);
    });
  });
});
