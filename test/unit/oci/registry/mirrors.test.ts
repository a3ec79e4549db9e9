import { describe, expect, test } from 'vitest';
import { formatReference, parseReference } from '../../../../src/oci/index.ts';
import { parseMirror, placesOf, type RegistryMirror } from '../../../../src/oci/registry/mirrors.ts';
import { pullImage, pushImage } from '../../../../src/oci/registry/index.ts';
import {
  app,
  gather,
  quickOptions,
  scriptedRegistry,
  testImage,
} from '../../../helpers/scripted-registry.ts';
import { failure } from './registry-client.ts';

function mirrors(...pairs: readonly string[]): readonly RegistryMirror[] {
  return pairs.map((pair) => {
    const mirror = parseMirror(pair);
    return typeof mirror === 'string' ? expect.fail(mirror) : mirror;
  });
}

describe('the places of an image', () => {
  test.each([
    ['nginx:1.27', ['docker.io=m.example.com'], ['m.example.com/library/nginx:1.27']],
    ['nginx', ['index.docker.io=m.example.com/hub'], ['m.example.com/hub/library/nginx']],
    ['quay.io/a/b', ['docker.io=m.example.com'], []],
    ['quay.io/a/b/c', ['quay.io=m.example.com', 'quay.io/a=n.example.com/x'], ['n.example.com/x/b/c']],
    ['quay.io/ab/c', ['quay.io/a=n.example.com'], []],
    ['quay.io/a', ['quay.io=m:1', 'quay.io=localhost/b'], ['m:1/a', 'localhost/b/a']],
  ])('%s with %j', (image, pairs, expected) => {
    const reference = parseReference(image);
    const places = placesOf(reference, mirrors(...pairs)).map(formatReference);
    expect(places).toEqual([...expected, formatReference(reference)]);
  });
});

test.each([
  ...[
    'docker.io',
    '=m.example.com',
    'docker.io=',
    'a.io=b.io=c.io',
    'team=m.example.com',
    'docker.io=team/hub',
  ],
  ...['docker.io/nginx:1=m.example.com', 'docker.io=https://m.example.com', 'docker.io=M.example.com/Hub'],
])('%s names no mirror', (text) => {
  expect(parseMirror(text)).toEqual(expect.any(String));
});

describe('a pull through a mirror', () => {
  const image = testImage([3_000]);

  test('takes the image and its layers from there, with the digest of the original', async () => {
    await using mirror = await scriptedRegistry();
    await pushImage(app(mirror.host), image, quickOptions());
    const options = quickOptions({ mirrors: mirrors(`registry.invalid=${mirror.host}/team`) });
    const pulled = await pullImage(parseReference('registry.invalid/app:v1'), options);
    expect(pulled.root.digest).toBe(image.root.digest);
    const [layer] = image.layers;
    if (layer === undefined) return expect.fail();
    expect((await gather(pulled.read(layer))).length).toBe(layer.size);
    expect(options.lines).toEqual([`asking the mirror ${mirror.host}/team/app:v1`]);
  });

  test('asks the registry itself for what a mirror does not have', async () => {
    await using mirror = await scriptedRegistry();
    await using registry = await scriptedRegistry();
    await pushImage(app(registry.host), image, quickOptions());
    const options = quickOptions({ mirrors: mirrors(`${registry.host}=${mirror.host}`) });
    expect((await pullImage(app(registry.host), options)).root.digest).toBe(image.root.digest);
  });

  test('names both if neither has it', async () => {
    await using mirror = await scriptedRegistry();
    await using registry = await scriptedRegistry();
    const options = quickOptions({ mirrors: mirrors(`${registry.host}=${mirror.host}`) });
    const { findings } = await failure(pullImage(app(registry.host), options));
    expect(findings.map(({ code }) => code)).toEqual(['oci/not-found', 'oci/not-found']);
    expect(findings.map(({ message }) => message).join()).toContain(mirror.host);
  });

  test('is refused if the mirror gives other bytes than were asked for', async () => {
    await using mirror = await scriptedRegistry();
    await using registry = await scriptedRegistry();
    await pushImage(app(registry.host), image, quickOptions());
    await pushImage(app(mirror.host), image, quickOptions());
    const key = `team/app@${image.root.digest}`;
    const other = testImage([5_000]);
    await pushImage(app(mirror.host), other, quickOptions());
    const manifest = mirror.manifests.get(`team/app@${other.root.digest}`);
    if (manifest === undefined) return expect.fail();
    mirror.manifests.set(key, manifest);
    const { tag: _, ...named } = app(registry.host);
    const options = quickOptions({ mirrors: mirrors(`${registry.host}=${mirror.host}`) });
    const error = await failure(pullImage({ ...named, digest: image.root.digest }, options));
    expect(error.code).toBe('oci/digest-mismatch');
  });

  test('is not for pushes', async () => {
    await using mirror = await scriptedRegistry();
    await using registry = await scriptedRegistry();
    await pushImage(
      app(registry.host),
      image,
      quickOptions({ mirrors: mirrors(`${registry.host}=${mirror.host}`) }),
    );
    expect([mirror.tags.size, registry.tags.size]).toEqual([0, 1]);
  });
});
