import { describe, expect, test } from 'vitest';
import { pushImage } from '../../../../src/images/registry/push-image.ts';
import {
  app,
  cut,
  quickOptions,
  reply,
  scriptedRegistry,
  testImage,
  type Fault,
} from '../../../helpers/scripted-registry.ts';
import { expectPushed, failure } from './registry-client.ts';

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
  ])('%s is reported with the message of the registry', async (_, status, body, code) => {
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
