// The ways in which registries may take a blob, each of them allowed by the specification, and what stands in front of them.
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { pushImage } from '../../../../src/images/registry/push-image.ts';
import type { RegistryOptions } from '../../../../src/images/registry/options.ts';
import {
  app,
  cut,
  gather,
  quickOptions,
  reply,
  scriptedRegistry,
  sha256,
  testImage,
  type Fault,
  type TestImage,
} from '../../../helpers/scripted-registry.ts';

/** Pushes to a registry that fails as told, and checks every byte that it has in the end. */
async function push(
  faults: readonly Fault[],
  image: TestImage,
  options: Partial<RegistryOptions> = {},
): Promise<{ readonly lines: readonly string[]; readonly progress: readonly string[] }> {
  await using registry = await scriptedRegistry({ faults });
  const quick = quickOptions(options);
  const mountFrom = options.mountFrom?.map((reference) => ({ ...reference, registry: registry.host }));
  await pushImage(app(registry.host), image, mountFrom === undefined ? quick : { ...quick, mountFrom });
  expect(registry.tags.get('team/app:v1')).toBe(image.root.digest);
  for (const { digest } of image.layers)
    expect(sha256(registry.blobs.get(`team/app@${digest}`) ?? Buffer.alloc(0))).toBe(digest);
  return { lines: registry.lines(), progress: quick.lines };
}

const uploadsOf = (lines: readonly string[]): string[] => lines.filter((line) => /uploads/.test(line));

describe('a mount', () => {
  const mountFrom = [{ registry: '', repository: 'base/node', tag: 'v1' }];
  // Larger than what is tried in a single request.
  const image = testImage([2_000]);

  test('that the registry does not do (202) goes on as an upload in the session that it began', async () => {
    // The registry does not know the other repository.
    const { lines } = await push([], image, { mountFrom });
    const layer = encodeURIComponent(image.layers[0]?.digest ?? expect.fail());
    const posts = lines.filter((line) => line.startsWith('POST'));
    expect(posts.filter((line) => line.includes(layer))).toHaveLength(1);
    expect(posts.every((line) => line.includes('mount='))).toBe(true);
  });

  test.each([403, 404, 400])('that is refused (%d) does not fail the push', async (status) => {
    const { lines } = await push([{ on: /mount=/, times: 9, answer: reply(status) }], image, { mountFrom });
    expect(lines.filter((line) => /^POST .*uploads\/$/.test(line))).not.toEqual([]);
  });

  test('is tried from what the image says it was built on', async () => {
    await using registry = await scriptedRegistry();
    const layers = testImage([2_000]);
    await pushImage(app(registry.host, 'base/node'), layers, quickOptions());
    const annotations = { 'org.opencontainers.image.base.name': `${registry.host}/base/node:v1` };
    const annotated = testImage([2_000], { annotations });
    const before = registry.seen.length;
    await pushImage(app(registry.host), annotated, quickOptions());
    const later = registry.lines().slice(before);
    expect(later.filter((line) => line.includes('mount='))).not.toEqual([]);
    const layer = encodeURIComponent(layers.layers[0]?.digest ?? expect.fail());
    expect(later.filter((line) => /^PUT .*uploads/.test(line) && line.includes(layer))).toEqual([]);
  });

  test('is not tried from another registry', async () => {
    await using registry = await scriptedRegistry();
    const elsewhere = { registry: 'elsewhere.example.com', repository: 'base/node', tag: 'v1' };
    await pushImage(app(registry.host), image, quickOptions({ mountFrom: [elsewhere] }));
    expect(registry.lines(/mount=/)).toEqual([]);
  });
});

describe('a small blob', () => {
  const small = testImage([500, 600]);
  const isSingle = /^POST .*uploads\/\?digest=/;

  test('is taken in one request where the registry knows that', async () => {
    // As a registry that knows it: the blob is kept by doing the upload for it.
    const store = new Map<string, Buffer>();
    const takes: Fault['answer'] = async (request, response) => {
      const digest = new URL(request.url ?? '', 'http://x').searchParams.get('digest') ?? '';
      const bytes = await gather(request as AsyncIterable<Uint8Array>);
      expect(sha256(bytes)).toBe(digest);
      store.set(digest, bytes);
      response.writeHead(201, { location: '/', 'docker-content-digest': digest }).end();
    };
    await using registry = await scriptedRegistry({
      faults: [
        { on: isSingle, times: 9, answer: takes },
        { on: /^PUT .*manifests/, answer: reply(201) },
        { on: /^HEAD .*manifests/, answer: reply(200, { 'docker-content-digest': small.root.digest }) },
      ],
    });
    await pushImage(app(registry.host), small, quickOptions());
    expect(uploadsOf(registry.lines()).filter((line) => !isSingle.test(line))).toEqual([]);
    for (const { digest } of small.layers) expect(store.get(digest)).toEqual(small.blobs.get(digest));
  });

  test('goes on in the session (202) where it does not, and the others are not tried so', async () => {
    const { lines } = await push([], small);
    expect(lines.filter((line) => isSingle.test(line))).toHaveLength(1);
    expect(lines.filter((line) => /^POST/.test(line))).toHaveLength(3);
  });

  test.each([400, 405, 415])('is uploaded in a new session where that is refused (%d)', async (status) => {
    const { lines } = await push([{ on: isSingle, answer: reply(status) }], small);
    expect(lines.filter((line) => isSingle.test(line))).toHaveLength(1);
  });
});

describe('a large blob', () => {
  const large = testImage([2_500_000]);
  const tooLarge: Fault = {
    on: /^PUT .*uploads/,
    times: 9,
    answer: async (request: IncomingMessage, response) => {
      if (Number(request.headers['content-length']) < 1_100_000) return false;
      return reply(413, {}, '<html><title>413 Request Entity Too Large</title></html>')(request, response);
    },
  };

  test('that something in front of the registry refuses (413) goes in parts', async () => {
    const { lines, progress } = await push([tooLarge], large);
    expect(lines.filter((line) => /^PATCH/.test(line))).toHaveLength(3);
    // The upload that was refused is not left behind.
    expect(lines.filter((line) => /^DELETE/.test(line))).toHaveLength(1);
    expect(progress.join('\n')).toContain('too large for one request, sending it in parts');
  });

  test('a part that is cut is sent again from what the registry has, not from the beginning', async () => {
    let patches = 0;
    const second: Fault['answer'] = (request, response) => (++patches === 2 ? cut(request, response) : false);
    const { lines } = await push([tooLarge, { on: /^PATCH/, times: 9, answer: second }], large);
    expect(lines.filter((line) => /^PATCH/.test(line))).toHaveLength(4);
    expect(lines.filter((line) => /^GET .*uploads/.test(line))).toHaveLength(1);
  });
});

test('on this machine plain HTTP is spoken with a server that does not know TLS, but not when TLS was asked for', async () => {
  await using registry = await scriptedRegistry();
  await pushImage(app(registry.host), testImage(), quickOptions());
  await expect(
    pushImage(app(registry.host), testImage(), quickOptions({ skipTlsVerify: true })),
  ).rejects.toMatchObject({ code: 'oci/speaks-plain-http' });
});
