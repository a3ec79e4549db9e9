import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
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
import { tempFolder } from '../temp-folder.ts';
import { secret, loginsIn, expectPushed, failure } from './registry-client.ts';

const withLogin = loginsIn(tempFolder());

describe('the upload of a blob', () => {
  test('a stream that was begun is never sent on: each try reads the blob from its beginning', async () => {
    const image = testImage([500_000]);
    const digest = image.layers[0]?.digest ?? expect.fail();
    const ofLayer = new RegExp(`^PUT .*digest=${encodeURIComponent(digest)}`);
    await using registry = await scriptedRegistry({ faults: [{ on: ofLayer, times: 2, answer: cut }] });
    await pushImage(app(registry.host), image, quickOptions());
    expect(image.reads.get(digest)).toBe(3);
    await expectPushed(registry, image);
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

  test('a digest that the registry calculates differently is reported', async () => {
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
