import { describe, expect, test } from 'vitest';
import type { CliContext } from '../../../../src/cli/command.ts';
import { openBase } from '../../../../src/cli/commands/image-build.ts';
import { pullImage } from '../../../../src/images/registry/pull-image.ts';
import { pushImage } from '../../../../src/images/registry/push-image.ts';
import { imageParts } from '../../../../src/images/index.ts';
import {
  app,
  gather,
  quickOptions,
  scriptedRegistry,
  sha256,
  testImage,
} from '../../../helpers/scripted-registry.ts';
import { tempFolder } from '../temp-folder.ts';
import { failure } from './registry-client.ts';

const folder = tempFolder();

describe('a pull', () => {
  test('gives back the image, by tag and by digest', async () => {
    await using registry = await scriptedRegistry();
    const image = testImage([3_000, 70_000], { platforms: 2 });
    await pushImage(app(registry.host), image, quickOptions());
    const { tag: _, ...named } = app(registry.host);
    for (const reference of [app(registry.host), { ...named, digest: image.root.digest }]) {
      const pulled = await pullImage(reference, quickOptions());
      expect(pulled.root).toMatchObject({ digest: image.root.digest, mediaType: image.root.mediaType });
      for (const blob of (await imageParts(pulled)).blobs)
        expect(sha256(await gather(pulled.read(blob)))).toBe(blob.digest);
    }
  });

  test.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['changed', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['too long', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('more')])],
  ])('a blob that is %s is never passed off as whole', async (_, spoil) => {
    await using registry = await scriptedRegistry();
    const image = testImage([80_000]);
    await pushImage(app(registry.host), image, quickOptions());
    const [layer] = image.layers;
    if (layer === undefined) return expect.fail();
    const key = `team/app@${layer.digest}`;
    registry.blobs.set(key, spoil(registry.blobs.get(key) ?? Buffer.alloc(0)));
    const pulled = await pullImage(app(registry.host), quickOptions({ timing: { retries: 1 } }));
    expect((await failure(gather(pulled.read(layer)))).code).toMatch(/^oci\//);
  });

  test('a missing image is reported with its name', async () => {
    await using registry = await scriptedRegistry();
    const error = await failure(pullImage(app(registry.host), quickOptions()));
    expect(error.code).toBe('oci/not-found');
    expect(error.message).toContain('team/app');
  });
});

test('a host that does not exist, and one where nobody listens', async () => {
  const options = quickOptions({ timing: { retries: 0 } });
  const unknown = await failure(pushImage(app('registry.invalid'), testImage(), options));
  expect(unknown.code).toBe('oci/registry-unreachable');
  await using registry = await scriptedRegistry();
  const { host } = registry;
  await registry.close();
  expect((await failure(pushImage(app(host), testImage(), options))).code).toBe('oci/registry-unreachable');
});

test('a base image whose registry cannot be reached names other bases', async () => {
  const options = quickOptions({ timing: { retries: 0 } });
  const base = { kind: 'registry', reference: app('registry.invalid') } as const;
  const error = await failure(
    openBase({ cwd: folder(), env: {} } as unknown as CliContext, base, options, false),
  );
  expect(error.code).toBe('oci/registry-unreachable');
  const [finding] = error.findings;
  expect(finding.fix?.join('\n')).toMatch(/HTTPS_PROXY[\s\S]*--base REGISTRY\/IMAGE[\s\S]*--base oci:DIR/);
  const push = await failure(pushImage(app('registry.invalid'), testImage(), options));
  expect(push.findings[0].fix?.join('\n')).not.toContain('--base');
});
