import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { downloadManifests } from '../../../../src/olm/install/index.ts';
import { yamlLimits } from '../../../../src/kubernetes/yaml/index.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  cleanups.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const lines: string[] = [];
const download = (...urls: readonly string[]) =>
  downloadManifests(urls, {
    env: {},
    userAgent: 'test',
    signal: new AbortController().signal,
    onProgress: (line) => lines.push(line),
    pauses: [1, 1],
  });

async function failure(urls: readonly string[]): Promise<string> {
  try {
    await download(...urls);
  } catch (error) {
    if (isOpSdkError(error)) return `${error.code}: ${error.findings[0].message}`;
    throw error;
  }
  throw new Error('it did not fail');
}

const document = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

describe('downloading manifests', () => {
  test('gives the objects of all files in their order, with their places', async () => {
    const base = await serve((request, answer) => answer.end(document((request.url ?? '').slice(1))));
    const objects = await download(`${base}/a`, `${base}/b`);
    expect(objects.map(({ object }) => object.metadata.name)).toEqual(['a', 'b']);
    expect(objects[1]?.where).toMatchObject({ file: `${base}/b`, line: 1 });
  });

  test.each([500, 503, 429])('tries again after %i', async (status) => {
    let asked = 0;
    const base = await serve((_, answer) => {
      asked += 1;
      if (asked < 3) answer.writeHead(status).end();
      else answer.end(document('late'));
    });
    expect(await download(base)).toHaveLength(1);
    expect(asked).toBe(3);
    expect(lines.at(-1)).toBe(`${base}: the server answers with HTTP status ${status}; trying again`);
  });

  test('gives up after three tries', async () => {
    let asked = 0;
    const base = await serve((_, answer) => {
      asked += 1;
      answer.destroy();
    });
    expect(await failure([base])).toMatch(/^olm\/download: http:.* cannot be read: /);
    expect(asked).toBe(3);
  });

  test('asks once for what is not there', async () => {
    let asked = 0;
    const base = await serve((_, answer) => {
      asked += 1;
      answer.writeHead(404).end();
    });
    expect(await failure([base])).toBe(
      `olm/download: ${base} cannot be read: the server answers with HTTP status 404`,
    );
    expect(asked).toBe(1);
  });

  test('takes no more than the limit', async () => {
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const base = await serve((_, answer) => {
      const write = (): void => {
        while (!answer.destroyed && answer.write(piece));
        answer.once('drain', write);
      };
      write();
    });
    expect(await failure([base])).toBe(
      `olm/download: ${base} cannot be read: the file is larger than ${yamlLimits.bytes / 1024 / 1024} MiB`,
    );
  });

  test('takes http from this machine alone, also behind a redirect', async () => {
    expect(await failure(['http://192.0.2.1/olm.yaml'])).toBe(
      'olm/download: http://192.0.2.1/olm.yaml is not an https URL',
    );
    const base = await serve((_, answer) =>
      answer.writeHead(302, { location: 'http://192.0.2.1/olm.yaml' }).end(),
    );
    expect(await failure([base])).toBe(
      `olm/download: ${base} redirects to http://192.0.2.1/olm.yaml, which is not https`,
    );
  });
});
