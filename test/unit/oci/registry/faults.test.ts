// Pushing and pulling against a registry that fails as told. A clock without waiting; every request is written down.
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CliContext } from '../../../../src/cli/command.ts';
import { openBase } from '../../../../src/cli/actions/images/base.ts';
import { isOpSdkError, type OpSdkError } from '../../../../src/errors/index.ts';
import { pullImage, pushImage } from '../../../../src/oci/registry/index.ts';
import { createCertificateAuthority } from '../../../../src/x509/certificate-authority.ts';
import { imageParts } from '../../../../src/oci/index.ts';
import {
  app,
  cut,
  gather,
  quickOptions,
  reply,
  scriptedRegistry,
  sha256,
  testImage,
  tlsInFront,
  type Fault,
  type ScriptedRegistry,
  type TestImage,
} from '../../../helpers/scripted-registry.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-faults-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const secret = 'pa55-of-alice';

/** Options with a login for a registry. */
function withLogin(host: string, login: object = { username: 'alice', password: secret }) {
  const file = join(folder, 'auth.json');
  writeFileSync(file, JSON.stringify({ auths: { [host]: login } }));
  return quickOptions({ authFile: file });
}

/** What the registry holds under a name is the image, blob for blob. */
async function expectPushed(registry: ScriptedRegistry, image: TestImage): Promise<void> {
  const { blobs, manifests } = await imageParts(image);
  expect(registry.tags.get('team/app:v1')).toBe(image.root.digest);
  for (const { digest } of blobs)
    expect(sha256(registry.blobs.get(`team/app@${digest}`) ?? Buffer.alloc(0))).toBe(digest);
  for (const { digest } of manifests) expect(registry.manifests.has(`team/app@${digest}`)).toBe(true);
}

async function failure(promise: Promise<unknown>): Promise<OpSdkError> {
  const error: unknown = await promise.then(
    () => new Error('it went well'),
    (reason: unknown) => reason,
  );
  if (!isOpSdkError(error)) throw error;
  return error;
}

describe('a push', () => {
  test('sends blobs before manifests, the index last, and a second one sends nothing', async () => {
    await using registry = await scriptedRegistry();
    const image = testImage([3_000, 200_000], { platforms: 2 });
    await pushImage(app(registry.host), image, quickOptions());
    await expectPushed(registry, image);
    const writes = registry.lines(/^PUT .*manifests/);
    expect(writes.at(-1)).toMatch(/manifests\/v1$/);
    const lastBlob = registry.lines().findLastIndex((line) => /^PUT .*uploads/.test(line));
    expect(registry.lines().indexOf(writes[0] ?? '')).toBeGreaterThan(lastBlob);
    const before = registry.seen.length;
    await pushImage(app(registry.host), image, quickOptions());
    expect(
      registry
        .lines()
        .slice(before)
        .filter((line) => /uploads/.test(line)),
    ).toEqual([]);
  });

  const passing: { readonly what: string; readonly faults: readonly Fault[] }[] = [
    { what: '503 at the first request', faults: [{ on: /^GET \/v2\/$/, answer: reply(503) }] },
    { what: '503 in the middle', faults: [{ on: /^PUT .*uploads/, times: 2, answer: reply(503) }] },
    { what: '502 with an HTML page', faults: [{ on: /^POST/, answer: reply(502, {}, '<html>bad</html>') }] },
    { what: 'an upload cut in the middle', faults: [{ on: /^PUT .*uploads/, times: 2, answer: cut }] },
    { what: 'a connection cut at a HEAD', faults: [{ on: /^HEAD/, answer: cut }] },
    { what: '429 without a delay', faults: [{ on: /^PUT .*manifests/, times: 3, answer: reply(429) }] },
    {
      what: 'a lost upload session',
      faults: [
        { on: /^PUT .*uploads/, answer: reply(404, {}, '{"errors":[{"code":"BLOB_UPLOAD_UNKNOWN"}]}') },
      ],
    },
  ];
  test.each(passing)('survives $what', async ({ faults }) => {
    await using registry = await scriptedRegistry({ faults });
    const image = testImage([150_000]);
    await pushImage(app(registry.host), image, quickOptions());
    await expectPushed(registry, image);
  });

  test('reads back again when the answer that tells what the registry holds is cut', async () => {
    const half: Fault['answer'] = (_, response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write('{', () => response.destroy());
    };
    const faults: Fault[] = [
      { on: /^HEAD .*manifests/, times: 9, answer: reply(405) },
      { on: /^GET .*manifests/, answer: half },
    ];
    await using registry = await scriptedRegistry({ faults });
    await pushImage(app(registry.host), testImage(), quickOptions());
    expect(registry.lines(/^GET .*manifests/)).toHaveLength(2);
  });

  test('a stream that was begun is never sent on: each try reads the blob from its beginning', async () => {
    const image = testImage([500_000]);
    const digest = image.layers[0]?.digest ?? expect.fail();
    const ofLayer = new RegExp(`^PUT .*digest=${encodeURIComponent(digest)}`);
    await using registry = await scriptedRegistry({ faults: [{ on: ofLayer, times: 2, answer: cut }] });
    await pushImage(app(registry.host), image, quickOptions());
    expect(image.reads.get(digest)).toBe(3);
    await expectPushed(registry, image);
  });

  test.each([
    ['seconds', '7', 7_000],
    ['a date', new Date(1_700_000_000_000 + 9_000).toUTCString(), 9_000],
  ])('waits as long as Retry-After says, in %s', async (_, value, milliseconds) => {
    const faults: Fault[] = [{ on: /^POST/, answer: reply(429, { 'retry-after': value }) }];
    await using registry = await scriptedRegistry({ faults });
    const options = quickOptions();
    await pushImage(app(registry.host), testImage(), options);
    expect(options.clock.waits).toEqual([milliseconds]);
    expect(options.lines.join('\n')).toMatch(/again in/);
  });

  test('gives up after its tries, and says what the registry said', async () => {
    const body = JSON.stringify({ errors: [{ code: 'TOOMANYREQUESTS', message: 'slow down, please' }] });
    const faults: Fault[] = [{ on: /^POST/, times: 99, answer: reply(429, {}, body) }];
    await using registry = await scriptedRegistry({ faults });
    const options = quickOptions({ timing: { retries: 3 } });
    const error = await failure(pushImage(app(registry.host), testImage(), options));
    expect(error.code).toBe('oci/too-many-requests');
    expect(error.message).toContain('slow down, please');
    expect(registry.lines(/^POST/)).toHaveLength(4);
    // Each wait is longer than the one before.
    expect(options.clock.waits).toEqual([...options.clock.waits].sort((a, b) => a - b));
  });

  test('does not wait for a Retry-After of an hour', async () => {
    const faults: Fault[] = [{ on: /^POST/, times: 9, answer: reply(429, { 'retry-after': '3600' }) }];
    await using registry = await scriptedRegistry({ faults });
    const options = quickOptions();
    expect((await failure(pushImage(app(registry.host), testImage(), options))).code).toBe(
      'oci/too-many-requests',
    );
    expect(options.clock.waits).toEqual([]);
  });

  test('takes the newest Location, keeps its query, absolute or relative', async () => {
    for (const absolute of [true, false]) {
      await using registry = await scriptedRegistry();
      const host = registry.host;
      let state = 0;
      await using front = await forward(host, (line, headers) => {
        const { location } = headers;
        if (location?.includes('/uploads/') !== true || !line.startsWith('POST')) return headers;
        const target = `${location}?_state=${++state}`;
        return { ...headers, location: absolute ? `http://${front.host}${target}` : target };
      });
      await pushImage(app(front.host), testImage([2_000]), quickOptions());
      const puts = registry.lines(/^PUT .*uploads/);
      expect(puts.length).toBeGreaterThan(0);
      for (const line of puts) expect(line).toMatch(/\?_state=\d+&digest=sha256/);
    }
  });

  test('a Location on another host gets the blob, but no password', async () => {
    await using registry = await scriptedRegistry({
      guard: { kind: 'basic', username: 'alice', password: secret },
    });
    await using storage = await scriptedRegistry();
    await using front = await forward(registry.host, (line, headers) =>
      line.startsWith('POST') && headers.location !== undefined
        ? { ...headers, location: `http://${storage.host}${headers.location}` }
        : headers,
    );
    storage.seen.length = 0;
    // The other host knows nothing of the session: what matters is what it is sent.
    await failure(
      pushImage(app(front.host), testImage([2_000]), { ...withLogin(front.host), timing: { retries: 0 } }),
    );
    expect(storage.seen.length).toBeGreaterThan(0);
    for (const { headers } of storage.seen) expect(headers.authorization).toBeUndefined();
  });

  test('a registry that wants parts gets them, in order', async () => {
    const size = 20 * 1024 * 1024;
    await using registry = await scriptedRegistry();
    await using front = await forward(registry.host, (line, headers) =>
      line.startsWith('POST') ? { ...headers, 'oci-chunk-min-length': '1048576' } : headers,
    );
    const image = testImage([size]);
    await pushImage(app(front.host), image, quickOptions());
    await expectPushed(registry, image);
    const ranges = registry.seen
      .filter(({ line }) => line.startsWith('PATCH'))
      .map(({ headers }) => headers['content-range']);
    expect(ranges.length).toBeGreaterThan(1);
    expect(ranges[0]).toMatch(/^0-\d+$/);
  });

  test('416: asks what the registry has, and goes on from there', async () => {
    const faults: Fault[] = [
      { on: /^PATCH/, answer: reply(416, {}, '{"errors":[{"code":"RANGE_INVALID"}]}') },
    ];
    await using registry = await scriptedRegistry({ faults });
    await using front = await forward(registry.host, (line, headers) =>
      line.startsWith('POST') ? { ...headers, 'oci-chunk-min-length': '1048576' } : headers,
    );
    const image = testImage([20 * 1024 * 1024]);
    await pushImage(app(front.host), image, quickOptions());
    await expectPushed(registry, image);
    expect(registry.lines(/^GET .*uploads/).length).toBeGreaterThan(0);
  });

  test('a digest that the registry calculates otherwise is told', async () => {
    await using registry = await scriptedRegistry();
    await using front = await forward(registry.host, (line, headers) =>
      line.startsWith('PUT') && line.includes('/manifests/')
        ? { ...headers, 'docker-content-digest': `sha256:${'0'.repeat(64)}` }
        : headers,
    );
    expect((await failure(pushImage(app(front.host), testImage(), quickOptions()))).code).toBe(
      'oci/digest-mismatch',
    );
  });

  test.each([
    ['a quota', 403, { code: 'DENIED', message: 'quota exceeded: 5 of 5 GiB used' }, 'oci/quota-exceeded'],
    ['full storage', 507, undefined, 'oci/quota-exceeded'],
    ['a missing right', 403, { code: 'DENIED', message: 'no push for you' }, 'oci/denied'],
    [
      'a repository that is not there',
      404,
      { code: 'NAME_UNKNOWN', message: 'no such repo' },
      'oci/not-found',
    ],
  ])('%s is told in its own words', async (_, status, body, code) => {
    const text = body === undefined ? '' : JSON.stringify({ errors: [body] });
    const faults: Fault[] = [{ on: /^POST/, times: 99, answer: reply(status, {}, text) }];
    await using registry = await scriptedRegistry({ faults });
    const options = quickOptions({ timing: { retries: 1 } });
    const error = await failure(pushImage(app(registry.host), testImage(), options));
    expect(error.code).toBe(code);
    if (body !== undefined) expect(error.message).toContain(body.message);
  });

  test('an HTML page in place of an answer is not poured out', async () => {
    const page = `<!DOCTYPE html><html><head><title>Sign in</title></head>${'<p>x</p>'.repeat(500)}</html>`;
    const faults: Fault[] = [
      { on: /^POST/, times: 9, answer: reply(403, { 'content-type': 'text/html' }, page) },
    ];
    await using registry = await scriptedRegistry({ faults });
    const error = await failure(pushImage(app(registry.host), testImage(), quickOptions()));
    expect(error.message.length).toBeLessThan(600);
    expect(error.message).not.toContain('<p>');
  });

  test('the end of the command ends the upload, also at the registry', async () => {
    const controller = new AbortController();
    const faults: Fault[] = [
      {
        on: /^PUT .*uploads/,
        answer: (request) => {
          request.once('data', () => controller.abort(new Error('Ctrl-C')));
        },
      },
    ];
    await using registry = await scriptedRegistry({ faults });
    await expect(
      pushImage(app(registry.host), testImage([900_000]), { ...quickOptions(), signal: controller.signal }),
    ).rejects.toThrow('Ctrl-C');
    expect(registry.lines(/^DELETE .*uploads/)).toHaveLength(1);
  });

  test('a layer of the base is mounted, not sent, where the registry can', async () => {
    await using registry = await scriptedRegistry();
    const image = testImage([100_000]);
    await pushImage(app(registry.host, 'base/node'), image, quickOptions());
    const before = registry.seen.length;
    const options = quickOptions({ mountFrom: [app(registry.host, 'base/node')] });
    await pushImage(app(registry.host), image, options);
    await expectPushed(registry, image);
    const later = registry.lines().slice(before);
    expect(later.filter((line) => line.includes('mount='))).not.toEqual([]);
    expect(later.filter((line) => /^(?:PUT|PATCH) .*uploads/.test(line))).toEqual([]);
  });
});

describe('authentication', () => {
  test('a Bearer token that expires in the middle is renewed', async () => {
    await using registry = await scriptedRegistry({
      guard: { kind: 'bearer', username: 'alice', password: secret, uses: 2 },
    });
    const image = testImage([5_000, 6_000, 7_000]);
    await pushImage(app(registry.host), image, withLogin(registry.host));
    await expectPushed(registry, image);
    expect(registry.lines(/\/token/).length).toBeGreaterThan(2);
  });

  test.each(['token', 'access_token'] as const)('a token server may call it %s', async (field) => {
    await using registry = await scriptedRegistry({
      guard: { kind: 'bearer', username: 'alice', password: secret, field },
    });
    await pushImage(app(registry.host), testImage(), withLogin(registry.host));
    expect(registry.tags.has('team/app:v1')).toBe(true);
  });

  test('an identity token is exchanged for others, and stands in no URL or header', async () => {
    await using registry = await scriptedRegistry({
      guard: { kind: 'bearer', username: 'x', password: 'y', refreshToken: 'identity-t0ken' },
    });
    await pushImage(
      app(registry.host),
      testImage(),
      withLogin(registry.host, { identitytoken: 'identity-t0ken' }),
    );
    for (const { line, headers } of registry.seen) {
      expect(line).not.toContain('identity-t0ken');
      expect(JSON.stringify(headers)).not.toContain('identity-t0ken');
    }
  });

  const guards = [
    { kind: 'basic', username: 'alice', password: 'another' },
    { kind: 'bearer', username: 'alice', password: 'another' },
  ] as const;
  test.each(guards)('a wrong password ($kind) is told without telling it', async (guard) => {
    await using registry = await scriptedRegistry({ guard });
    const options = withLogin(registry.host);
    const error = await failure(pushImage(app(registry.host), testImage(), options));
    expect(error.code).toBe('oci/wrong-credentials');
    // The token server of this registry is so careless as to repeat what it was sent.
    const told = JSON.stringify(error.findings) + String(error.stack) + options.lines.join('\n');
    for (const form of [secret, Buffer.from(`alice:${secret}`).toString('base64')])
      expect(told).not.toContain(form);
  });

  test('no credentials at all are told as such', async () => {
    await using registry = await scriptedRegistry({ guard: guards[0] });
    const error = await failure(pushImage(app(registry.host), testImage(), quickOptions()));
    expect(error.code).toBe('oci/authentication-required');
    expect(error.findings[0].fix).toEqual([
      `log in: docker login ${registry.host}, or podman login ${registry.host}`,
    ]);
  });

  test('a redirect to another host takes no credentials along', async () => {
    await using other = await scriptedRegistry();
    const image = testImage([4_000]);
    await pushImage(app(other.host), image, quickOptions());
    other.seen.length = 0;
    const [layer] = image.layers;
    await using registry = await scriptedRegistry({
      guard: { kind: 'basic', username: 'alice', password: secret },
      faults: [
        {
          on: /^GET .*\/blobs\//,
          times: 9,
          answer: (request, response) => {
            response.writeHead(307, { location: `http://${other.host}${request.url}` }).end();
          },
        },
      ],
    });
    await pushImage(app(registry.host), image, withLogin(registry.host));
    const pulled = await pullImage(app(registry.host), withLogin(registry.host));
    if (layer === undefined) return expect.fail();
    expect(sha256(await gather(pulled.read(layer)))).toBe(layer.digest);
    expect(other.seen.length).toBeGreaterThan(0);
    for (const { headers } of other.seen) expect(headers.authorization).toBeUndefined();
  });
});

test('a token server on plain HTTP elsewhere is shown no credentials, even with --plain-http', async () => {
  await using registry = await scriptedRegistry({
    guard: { kind: 'bearer', realm: 'http://tokens.invalid/token', username: 'alice', password: secret },
  });
  const options = { ...withLogin(registry.host), plainHttp: true };
  const error = await failure(pushImage(app(registry.host), testImage(), options));
  expect(error.code).toBe('oci/unsafe-address');
});

test('a token server that sends us to another one is not followed', async () => {
  await using other = await scriptedRegistry();
  const location = `http://${other.host}/token`;
  const away: Fault['answer'] = (_, response) => void response.writeHead(302, { location }).end();
  await using registry = await scriptedRegistry({
    guard: { kind: 'bearer', username: 'alice', password: secret },
    faults: [{ on: /\/token/, times: 9, answer: away }],
  });
  const error = await failure(pushImage(app(registry.host), testImage(), withLogin(registry.host)));
  expect(error.message).toContain('another server');
  expect(other.seen).toEqual([]);
});

test('what signs a URL of another server is not told, even if that server quotes it', async () => {
  const signature = 'X9f3-signature+of/a=url';
  const quoting: Fault = {
    on: /^GET \/storage/,
    answer: (request, response) => {
      const given = new URL(request.url ?? '', 'http://storage').searchParams.get('X-Sig');
      response
        .writeHead(403)
        .end(`<Error><Message>bad signature ${given} of ${request.url}</Message></Error>`);
    },
  };
  await using storage = await scriptedRegistry({ faults: [quoting] });
  const location = `http://${storage.host}/storage?X-Sig=${encodeURIComponent(signature)}`;
  const away: Fault['answer'] = (_, response) => void response.writeHead(307, { location }).end();
  await using registry = await scriptedRegistry({ faults: [{ on: /^GET .*\/blobs\//, answer: away }] });
  const image = testImage([4_000]);
  await pushImage(app(registry.host), image, quickOptions());
  const [layer] = image.layers;
  if (layer === undefined) return expect.fail();
  const options = quickOptions();
  const pulled = await pullImage(app(registry.host), options);
  const error = await failure(gather(pulled.read(layer)));
  expect(error.message).toContain('bad signature ***');
  const told = JSON.stringify(error.findings) + String(error.stack) + options.lines.join('\n');
  for (const form of [signature, encodeURIComponent(signature)]) expect(told).not.toContain(form);
});

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

  test('an image that is not there is told with its name', async () => {
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
    openBase({ cwd: folder, env: {} } as unknown as CliContext, base, options, false),
  );
  expect(error.code).toBe('oci/registry-unreachable');
  const [finding] = error.findings;
  expect(finding.fix?.join('\n')).toMatch(/HTTPS_PROXY[\s\S]*--base REGISTRY\/IMAGE[\s\S]*--base oci:DIR/);
  const push = await failure(pushImage(app('registry.invalid'), testImage(), options));
  expect(push.findings[0].fix?.join('\n')).not.toContain('--base');
});

describe('TLS', () => {
  const authority = createCertificateAuthority('registry tests');
  const server = authority.issue({ commonName: 'registry', usage: 'server', ipAddresses: ['127.0.0.1'] });

  test('a certificate authority of its own is trusted by its file, and only then', async () => {
    await using registry = await scriptedRegistry();
    await using tls = await tlsInFront(registry.host, server);
    const caFile = join(folder, 'ca.crt');
    writeFileSync(caFile, authority.certificate);
    const reference = app(`127.0.0.1:${tls.port}`);
    const stranger = await failure(pushImage(reference, testImage(), quickOptions()));
    expect(stranger.code).toBe('oci/registry-tls');
    expect(registry.seen).toEqual([]);
    await pushImage(reference, testImage(), quickOptions({ caFile }));
    expect(registry.tags.has('team/app:v1')).toBe(true);
  });

  test('another authority than the one in the file is not trusted', async () => {
    await using registry = await scriptedRegistry();
    await using tls = await tlsInFront(registry.host, server);
    const caFile = join(folder, 'ca.crt');
    writeFileSync(caFile, createCertificateAuthority('another').certificate);
    const error = await failure(
      pushImage(app(`127.0.0.1:${tls.port}`), testImage(), quickOptions({ caFile })),
    );
    expect(error.code).toBe('oci/registry-tls');
    expect(registry.seen).toEqual([]);
  });

  test('--skip-tls-verify is for the registry, not for where it sends us', async () => {
    await using storage = await scriptedRegistry();
    await using tlsOfStorage = await tlsInFront(storage.host, server);
    const away: Fault['answer'] = (request, response) =>
      void response
        .writeHead(307, { location: `https://localhost:${tlsOfStorage.port}${request.url}` })
        .end();
    await using registry = await scriptedRegistry({
      faults: [{ on: /^GET .*blobs/, times: 9, answer: away }],
    });
    await using tls = await tlsInFront(registry.host, server);
    const reference = app(`127.0.0.1:${tls.port}`);
    const image = testImage();
    const options = quickOptions({ skipTlsVerify: true });
    await pushImage(reference, image, options);
    const [layer] = image.layers;
    if (layer === undefined) return expect.fail();
    const pulled = await pullImage(reference, options);
    expect((await failure(gather(pulled.read(layer)))).code).toBe('oci/registry-tls');
    expect(storage.seen).toEqual([]);
  });

  test('--skip-tls-verify takes any certificate', async () => {
    await using registry = await scriptedRegistry();
    await using tls = await tlsInFront(registry.host, server);
    await pushImage(app(`127.0.0.1:${tls.port}`), testImage(), quickOptions({ skipTlsVerify: true }));
    expect(registry.tags.has('team/app:v1')).toBe(true);
  });
});

/** A proxy in front of a registry that may change the headers of its answers. */
async function forward(
  host: string,
  change: (line: string, headers: NodeJS.Dict<string>) => NodeJS.Dict<string>,
): Promise<{ readonly host: string } & AsyncDisposable> {
  const server = createServer((request: IncomingMessage, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers;
      const answer = await fetch(`http://${host}${request.url}`, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        redirect: 'manual',
        ...(parts.length === 0 ? {} : { body: new Uint8Array(Buffer.concat(parts)) }),
      });
      const line = `${request.method} ${request.url}`;
      response.writeHead(answer.status, change(line, Object.fromEntries(answer.headers)));
      response.end(Buffer.from(await answer.arrayBuffer()));
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
