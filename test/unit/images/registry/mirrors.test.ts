import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatReference, parseReference } from '../../../../src/images/index.ts';
import { parseMirror, placesOf, type RegistryMirror } from '../../../../src/images/registry/mirrors.ts';
import { pullImage } from '../../../../src/images/registry/pull-image.ts';
import { pushImage } from '../../../../src/images/registry/push-image.ts';
import {
  app,
  gather,
  quickOptions,
  reply,
  scriptedRegistry,
  testImage,
  tlsInFront,
} from '../../../helpers/scripted-registry.ts';
import { createCertificateAuthority } from '../../../../src/sdk/x509/certificate-authority.ts';
import { tempFolder } from '../temp-folder.ts';
import { failure, loginsIn, secret } from './registry-client.ts';

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
    ['nginx:1', ['docker.io/library/nginx=m:1/nginx', 'docker.io/library=n:1'], ['m:1/nginx:1']],
    ['nginx:1', ['docker.io/library=n:1', 'docker.io/nginx=m:1/x'], ['m:1/x:1']],
    ['quay.io/a', ['quay.io/a=m:1'], []],
    ['Quay.io/a/b', ['quay.IO/a=m:1'], ['m:1/b']],
    ['quay.io/a', ['quay.io=m:1', 'quay.io=localhost/b'], ['m:1/a', 'localhost/b/a']],
  ])('%s with %j', (image, pairs, expected) => {
    const reference = parseReference(image);
    const places = placesOf(reference, mirrors(...pairs));
    expect(places.map((place) => formatReference(place.reference))).toEqual([
      ...expected,
      formatReference(reference),
    ]);
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
  ...['docker.io/nginx:1=m.example.com', 'docker.io=ftp://m.example.com', 'docker.io=M.example.com/Hub'],
  ...['https://docker.io=m.example.com', 'docker.io=http://', 'docker.io=http://hub'],
])('%s names no mirror', (text) => {
  expect(parseMirror(text)).toEqual(expect.any(String));
});

test.each([
  'docker.io=u:secret@m.example.com/hub',
  'docker.io=https://u:secret@m.example.com/hub',
  'docker.io=u:s@=/,secret@m.example.com/hub',
  'u:secret@docker.io',
])('%s is refused without its password', (text) => {
  const problem = parseMirror(text);
  expect(problem).toContain('without user name, password');
  expect(problem).not.toContain('secret');
});

test.each([
  ['docker.io=m:1/hub', undefined],
  ['docker.io=http://m:1/hub', 'http'],
  ['docker.io=https://m:1/hub', 'https'],
])('%s is spoken to by its scheme', (text, scheme) => {
  expect(mirrors(text)).toMatchObject([{ mirror: { registry: 'm:1', path: 'hub' } }]);
  expect(mirrors(text)[0]?.mirror.scheme).toBe(scheme);
});

const image = testImage([3_000]);

describe('a pull through a mirror', () => {
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

  test.each([
    ['that fails at once', /^GET \/v2\/$/, 503],
    ['that fails for the manifest', /manifests/, 500],
    ['that allows no more requests', /manifests/, 429],
  ])('passes over a mirror %s, after one try', async (_, on, status) => {
    await using mirror = await scriptedRegistry({ faults: [{ on, times: 9, answer: reply(status) }] });
    await using registry = await scriptedRegistry();
    await pushImage(app(registry.host), image, quickOptions());
    const options = quickOptions({ mirrors: mirrors(`${registry.host}=${mirror.host}`) });
    expect((await pullImage(app(registry.host), options)).root.digest).toBe(image.root.digest);
    expect(mirror.lines(on).length).toBe(1);
    expect(options.clock.waits).toEqual([]);
    expect(options.lines.join('\n')).toContain(`status ${status}; going on without this mirror`);
  });

  test('reads layers from a mirror with as many tries as from a registry', async () => {
    await using mirror = await scriptedRegistry({
      faults: [{ on: /^GET .*blobs/, times: 2, answer: reply(503) }],
    });
    await pushImage(app(mirror.host), image, quickOptions());
    const options = quickOptions({ mirrors: mirrors(`registry.invalid=${mirror.host}`) });
    const pulled = await pullImage(app('registry.invalid'), options);
    const [layer] = image.layers;
    if (layer === undefined) return expect.fail();
    expect((await gather(pulled.read(layer))).length).toBe(layer.size);
  });

  test('fails with what the registry says, and then with what its mirrors say', async () => {
    const broken = { faults: [{ on: /manifests/, times: 9, answer: reply(500) }] };
    await using mirror = await scriptedRegistry(broken);
    await using registry = await scriptedRegistry();
    const options = quickOptions({ mirrors: mirrors(`${registry.host}=${mirror.host}`) });
    const error = await failure(pullImage(app(registry.host), options));
    expect(error.findings.map(({ code }) => code)).toEqual(['oci/not-found', 'oci/registry-error']);
    expect(error.code).toBe('oci/not-found');
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

describe('how a mirror is spoken to', () => {
  const folder = tempFolder();
  const login = loginsIn(folder);
  const authority = createCertificateAuthority('mirror tests');
  const server = authority.issue({ commonName: 'registry', usage: 'server', ipAddresses: ['127.0.0.1'] });

  test('--plain-http is for the registry: a mirror gets neither a request nor a password over it', async () => {
    await using mirror = await scriptedRegistry({
      guard: { kind: 'basic', username: 'alice', password: secret },
    });
    await using registry = await scriptedRegistry();
    await pushImage(app(registry.host), image, quickOptions());
    const options = {
      ...login(mirror.host),
      plainHttp: true,
      mirrors: mirrors(`${registry.host}=https://${mirror.host}`),
    };
    const { findings } = await failure(pullImage(app(registry.host), options));
    expect(findings).toMatchObject([{ code: 'oci/speaks-plain-http', where: { object: mirror.host } }]);
    expect(findings[0].fix?.join()).toContain(`http://${mirror.host} in --registry-mirror`);
    expect(mirror.seen).toEqual([]);
  });

  test('a mirror of HTTPS is used while --plain-http holds for the registry', async () => {
    await using mirror = await scriptedRegistry();
    await using tls = await tlsInFront(mirror.host, server);
    await pushImage(app(mirror.host), image, quickOptions());
    const caFile = join(folder(), 'ca.crt');
    writeFileSync(caFile, authority.certificate);
    const options = quickOptions({
      ...{ caFile, plainHttp: true },
      mirrors: mirrors(`registry.invalid=127.0.0.1:${tls.port}`),
    });
    const pulled = await pullImage(app('registry.invalid'), options);
    expect(pulled.root.digest).toBe(image.root.digest);
  });

  test('http:// in front of a mirror is for the mirror, and not for the registry', async () => {
    await using mirror = await scriptedRegistry();
    await using registry = await scriptedRegistry();
    await using tls = await tlsInFront(registry.host, server);
    await pushImage(app(registry.host), image, quickOptions());
    const caFile = join(folder(), 'ca.crt');
    writeFileSync(caFile, authority.certificate);
    const name = `127.0.0.1:${tls.port}`;
    // The file makes HTTPS a must on this machine, too, but where http:// was written.
    const options = quickOptions({ caFile, mirrors: mirrors(`${name}=http://${mirror.host}`) });
    expect((await pullImage(app(name), options)).root.digest).toBe(image.root.digest);
    expect(mirror.lines(/manifests/).length).toBe(1);
  });

  test('--skip-tls-verify is for the registry: the certificate of a mirror is checked', async () => {
    await using mirror = await scriptedRegistry();
    await using tls = await tlsInFront(mirror.host, server);
    await using registry = await scriptedRegistry();
    const options = quickOptions({
      skipTlsVerify: true,
      mirrors: mirrors(`${registry.host}=127.0.0.1:${tls.port}`),
    });
    const { findings } = await failure(pullImage(app(registry.host), options));
    expect(findings.map(({ code }) => code)).toEqual(['oci/registry-tls']);
    expect(findings[0].fix?.join()).not.toContain('--skip-tls-verify');
    expect(mirror.seen).toEqual([]);
  });
});
