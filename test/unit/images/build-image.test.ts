import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  buildImage,
  createLayer,
  imageParts,
  joinPlatforms,
  mediaTypes,
  readBlob,
  readIndex,
  readImageManifest,
  selectPlatform,
  sha256,
  type ImageContent,
} from '../../../src/images/index.ts';
import type { ImageConfig } from '../../../src/images/image-config.ts';
import { amd64, arm64, smallImage } from './images.ts';
import { readTar } from './read-tar.ts';

async function configOf(content: ImageContent): Promise<ImageConfig> {
  const { config } = await readImageManifest(content, content.root);
  return JSON.parse((await readBlob(content, config)).toString('utf8')) as ImageConfig;
}

describe.each(['oci', 'docker'] as const)('an image of one layer in the format %s', (format) => {
  const { content } = smallImage({ format, config: { Labels: { b: '2', a: '1' } } });

  test('has the media types of its format, and digests that are true', async () => {
    expect(content.root.mediaType).toBe(mediaTypes[format].manifest);
    const manifest = await readImageManifest(content, content.root);
    expect(manifest.config.mediaType).toBe(mediaTypes[format].config);
    expect(manifest.layers.map(({ mediaType }) => mediaType)).toEqual([mediaTypes[format].layer]);
    for (const part of [content.root, manifest.config, ...manifest.layers]) {
      const bytes = await readBlob(content, part);
      expect([bytes.length, sha256(bytes)]).toEqual([part.size, part.digest]);
    }
  });

  test('has a root file system that containers can be made of', async () => {
    const config = await configOf(content);
    const [layer] = (await readImageManifest(content, content.root)).layers;
    const archive = gunzipSync(await readBlob(content, layer ?? expect.fail('no layer')));
    expect(config).toMatchObject({
      os: 'linux',
      architecture: 'amd64',
      created: '1970-01-01T00:00:00Z',
      config: { Labels: { a: '1', b: '2' } },
      rootfs: { type: 'layers', diff_ids: [sha256(archive)] },
    });
    expect(config.history).toHaveLength(1);
    expect(readTar(archive)).toMatchObject([{ path: 'hello.txt', content: 'hello\n' }]);
  });
});

test('the same content has the same digest on every machine and Node', () => {
  // The archive before compression depends on us alone; the manifest on zlib, too.
  const files = {
    'manifests/csv.yaml': 'kind: ClusterServiceVersion\n',
    'metadata/annotations.yaml': '{}\n',
  };
  const entries = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  expect(createLayer(entries, 'x').diffId).toMatchInlineSnapshot(
    `"sha256:129c1dbe1705da355042115ed008db3e077b609d84ff34ff5668327259dcb455"`,
  );
  expect(smallImage({ files }).content.root.digest).toMatchInlineSnapshot(
    `"sha256:58ac7595ad64da5a8d8a2887db0705633b8873108b4c5b85ff6a57e079b464ca"`,
  );
  const turned = Object.fromEntries(Object.entries(files).reverse());
  expect(smallImage({ files: turned }).content.root.digest).toBe(smallImage({ files }).content.root.digest);
});

describe('on a base', () => {
  const base = smallImage({
    files: { 'usr/bin/node': 'node' },
    config: {
      User: 'root',
      Env: ['PATH=/usr/bin'],
      Cmd: ['node'],
      Labels: { from: 'base', kept: 'yes' },
      StopSignal: 'SIGTERM',
    },
  });
  const layer = createLayer([{ path: 'app/main.mjs', content: Buffer.from('//') }], 'op-sdk image build');
  const onBase = async (config = {}) =>
    buildImage({
      format: 'oci',
      platform: amd64,
      layers: [layer],
      base: await selectPlatform(base.content, amd64, 'base'),
      config: { User: '65532:65532', Entrypoint: ['node', '/app/main.mjs'], ...config },
    }).content;

  test('the layer comes last, and the configuration keeps what it does not say', async () => {
    const content = await onBase({ Labels: { from: 'us' } });
    const { layers } = await readImageManifest(content, content.root);
    expect(layers).toHaveLength(2);
    expect(layers[1]?.digest).toBe(layer.digest);
    expect(await configOf(content)).toMatchObject({
      config: {
        User: '65532:65532',
        Env: ['PATH=/usr/bin'],
        Entrypoint: ['node', '/app/main.mjs'],
        Labels: { from: 'us', kept: 'yes' },
        StopSignal: 'SIGTERM',
      },
    });
    for (const part of (await imageParts(content)).blobs)
      expect(sha256(await readBlob(content, part))).toBe(part.digest);
  });

  test("the base's arguments do not outlive its entrypoint", async () => {
    expect((await configOf(await onBase())).config).not.toHaveProperty('Cmd');
    expect((await configOf(await onBase({ Cmd: ['--help'] }))).config?.Cmd).toEqual(['--help']);
  });

  test('ONBUILD instructions are refused: nobody would carry them out', async () => {
    const trigger = smallImage({ config: { OnBuild: ['RUN make'] } });
    const selected = await selectPlatform(trigger.content, amd64, 'base');
    expect(() =>
      buildImage({ format: 'oci', platform: amd64, layers: [], base: selected, config: {} }),
    ).toThrow(/oci\/base-onbuild/);
  });

  test('the layers of a docker base become those of the format that is written', async () => {
    const docker = smallImage({ format: 'docker' });
    const { content } = buildImage({
      format: 'oci',
      platform: amd64,
      layers: [layer],
      base: await selectPlatform(docker.content, amd64, 'base'),
      config: {},
    });
    const { layers } = await readImageManifest(content, content.root);
    expect(new Set(layers.map(({ mediaType }) => mediaType))).toEqual(new Set([mediaTypes.oci.layer]));
  });
});

describe('for several platforms', () => {
  const images = [amd64, arm64].map((platform) => smallImage({ platform }));

  test('is an index; each part is found by its platform', async () => {
    const content = joinPlatforms(images, 'oci');
    const { manifests } = await readIndex(content, content.root);
    expect(manifests.map(({ platform }) => platform)).toEqual([amd64, arm64]);
    expect((await selectPlatform(content, arm64, 'x')).config.architecture).toBe('arm64');
    await expect(selectPlatform(content, { os: 'linux', architecture: 's390x' }, 'x')).rejects.toThrow(
      /no-such-platform.*it is for linux\/amd64, linux\/arm64/s,
    );
    expect((await imageParts(content)).manifests.at(-1)).toEqual(content.root);
  });

  test('is the image itself if there is one only', () => {
    const [first] = images;
    expect(joinPlatforms(images.slice(0, 1), 'oci').root).toEqual(first?.content.root);
  });
});

describe('an index that names no platforms', () => {
  const s390x = { os: 'linux', architecture: 's390x' };
  const armV6 = { os: 'linux', architecture: 'arm', variant: 'v6' };

  test('has those of the configurations', async () => {
    const content = plainIndex(
      [amd64, arm64, armV6].map((platform) => ({ image: smallImage({ platform }) })),
    );
    for (const platform of [arm64, armV6, amd64])
      expect((await selectPlatform(content, platform, 'x')).config).toMatchObject(platform);
    await expect(selectPlatform(content, s390x, 'x')).rejects.toThrow(
      /no-such-platform.*it is for linux\/amd64, linux\/arm64, linux\/arm\/v6/s,
    );
    await expect(selectPlatform(content, { os: 'linux', architecture: 'arm' }, 'x')).rejects.toThrow(
      /no-such-platform/,
    );
  });

  test('or names some: what it names comes first, and nothing else is read then', async () => {
    const unnamed = smallImage({ platform: arm64, files: { 'unnamed.txt': '' } });
    const named = smallImage({ platform: arm64 });
    const content = plainIndex([
      { image: unnamed },
      { image: named, more: { platform: arm64 } },
      { image: smallImage({ platform: s390x }), more: { platform: {} } },
    ]);
    const reads: string[] = [];
    const watched: ImageContent = {
      root: content.root,
      read(descriptor) {
        reads.push(descriptor.digest);
        return content.read(descriptor);
      },
    };
    expect((await selectPlatform(watched, arm64, 'x')).content.root.digest).toBe(named.content.root.digest);
    expect(reads).not.toContain(unnamed.content.root.digest);
    expect((await selectPlatform(content, s390x, 'x')).config.architecture).toBe('s390x');
    await expect(selectPlatform(content, amd64, 'x')).rejects.toThrow(
      /it is for linux\/arm64, linux\/s390x;?/,
    );
  });

  test('leaves out attestations and artifacts, and keeps what is damaged an error', async () => {
    const attestation = smallImage({ files: { attestation: '' } });
    const artifact = await changedManifest(smallImage(), { artifactType: 'application/vnd.example' });
    const content = plainIndex([
      { image: attestation, more: { annotations: { 'vnd.docker.reference.type': 'attestation-manifest' } } },
      { image: { content: artifact } },
      { image: smallImage({ platform: arm64 }) },
    ]);
    await expect(selectPlatform(content, amd64, 'x')).rejects.toThrow(/it is for linux\/arm64$/m);
    const damaged = await changedManifest(smallImage(), { layers: 'none' });
    await expect(selectPlatform(plainIndex([{ image: { content: damaged } }]), amd64, 'x')).rejects.toThrow(
      /oci\/invalid-manifest/,
    );
  });

  test('is refused if it has more of them than can be looked at', async () => {
    const images = Array.from({ length: 33 }, (_, index) => smallImage({ files: { [`${index}`]: '' } }));
    const content = plainIndex(images.map((image) => ({ image })));
    await expect(selectPlatform(content, amd64, 'x')).rejects.toThrow(
      /oci\/invalid-manifest.*at most 32 manifests without platform, got 33/s,
    );
  });
});

/** An index with what is written, and nothing more, beside the descriptors. */
function plainIndex(
  entries: readonly { readonly image: { readonly content: ImageContent }; readonly more?: object }[],
): ImageContent {
  const manifests = entries.map(({ image, more }) => ({ ...image.content.root, ...more }));
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, manifests }));
  const root = { mediaType: mediaTypes.oci.index, digest: sha256(bytes), size: bytes.length };
  return {
    root,
    async *read(descriptor) {
      if (descriptor.digest === root.digest) {
        yield bytes;
        return;
      }
      for (const { image } of entries) {
        try {
          yield* image.content.read(descriptor);
          return;
        } catch (error) {
          if (!String(error).includes('oci/blob-missing')) throw error;
        }
      }
      throw new Error(`no ${descriptor.digest}`);
    },
  };
}

async function changedManifest(
  { content }: { content: ImageContent },
  change: object,
): Promise<ImageContent> {
  const manifest = await readImageManifest(content, content.root);
  const bytes = Buffer.from(JSON.stringify({ ...manifest, ...change }));
  const root = { mediaType: mediaTypes.oci.manifest, digest: sha256(bytes), size: bytes.length };
  return {
    root,
    async *read(descriptor) {
      if (descriptor.digest === root.digest) yield bytes;
      else yield* content.read(descriptor);
    },
  };
}

test('an artifact is not a base', async () => {
  const artifact = await changedManifest(smallImage(), { artifactType: 'application/vnd.example' });
  await expect(selectPlatform(artifact, amd64, 'chart')).rejects.toThrow(/oci\/not-an-image.*artifact/s);
});
