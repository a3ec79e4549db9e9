import { describe, expect, test } from 'vitest';
import { pullImage } from '../../../../src/images/registry/pull-image.ts';
import { pushImage } from '../../../../src/images/registry/push-image.ts';
import {
  app,
  gather,
  quickOptions,
  scriptedRegistry,
  sha256,
  testImage,
  type Fault,
} from '../../../helpers/scripted-registry.ts';
import { tempFolder } from '../temp-folder.ts';
import { secret, loginsIn, expectPushed, failure } from './registry-client.ts';

const withLogin = loginsIn(tempFolder());

describe('authentication', () => {
  test('a Bearer token that expires in the middle is renewed', async () => {
    await using registry = await scriptedRegistry({
      guard: { kind: 'bearer', username: 'alice', password: secret, uses: 2 },
    });
    // One layer: several would use up the tokens of each other.
    const image = testImage([5_000]);
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

  test('an identity token is exchanged for others, and appears in no URL or header', async () => {
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
  test.each(guards)('a wrong password ($kind) is reported without showing it', async (guard) => {
    await using registry = await scriptedRegistry({ guard });
    const options = withLogin(registry.host);
    const error = await failure(pushImage(app(registry.host), testImage(), options));
    expect(error.code).toBe('oci/wrong-credentials');
    // The token server of this registry is so careless as to repeat what it was sent.
    const told = JSON.stringify(error.findings) + String(error.stack) + options.lines.join('\n');
    for (const form of [secret, Buffer.from(`alice:${secret}`).toString('base64')])
      expect(told).not.toContain(form);
  });

  test('missing credentials are reported as such', async () => {
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

test('the signature of a URL of another server is not shown, even if that server quotes it', async () => {
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
