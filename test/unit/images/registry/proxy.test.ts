// Through a proxy that is asked to CONNECT: what it sees, what the registry sees, and a proxy that never answers.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseMirror } from '../../../../src/images/registry/mirrors.ts';
import { pullImage } from '../../../../src/images/registry/pull-image.ts';
import { pushImage } from '../../../../src/images/registry/push-image.ts';
import { createCertificateAuthority } from '../../../../src/sdk/x509/certificate-authority.ts';
import {
  app,
  quickOptions,
  scriptedRegistry,
  testImage,
  tlsInFront,
} from '../../../helpers/scripted-registry.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-proxy-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Proxy extends AsyncDisposable {
  readonly host: string;
  readonly seen: { readonly authority: string; readonly headers: IncomingHttpHeaders }[];
}

/** A proxy to which every name is a port of this machine, or which refuses with a status. */
async function startProxy(port: number, status = 200): Promise<Proxy> {
  const seen: Proxy['seen'] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => response.writeHead(400).end());
  server.on('connect', (request, socket: Socket) => {
    seen.push({ authority: request.url ?? '', headers: request.headers });
    socket.on('error', () => undefined);
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} no\r\ncontent-length: 0\r\n\r\n`);
    const inner = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 ok\r\n\r\n');
      socket.pipe(inner).pipe(socket);
    });
    inner.on('error', () => socket.destroy());
    sockets.add(inner);
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  return { seen, host: await listen(server), [Symbol.asyncDispose]: () => stop(server, sockets) };
}

async function listen(server: ReturnType<typeof createTcpServer>): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: ReturnType<typeof createTcpServer>, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
}

const authority = createCertificateAuthority('registry tests');
const server = authority.issue({ commonName: 'registry', usage: 'server', dnsNames: ['registry.test'] });

function options(proxy: string, signal = new AbortController().signal) {
  const caFile = join(folder, 'ca.crt');
  const authFile = join(folder, 'auth.json');
  writeFileSync(caFile, authority.certificate);
  writeFileSync(
    authFile,
    JSON.stringify({ auths: { 'registry.test': { username: 'alice', password: 'pa55-word' } } }),
  );
  return quickOptions({ caFile, authFile, signal, env: { HTTPS_PROXY: `http://mallory:pr0xy@${proxy}` } });
}

test('a push goes through; the proxy sees hosts only, the registry no credentials of the proxy', async () => {
  await using registry = await scriptedRegistry({
    guard: { kind: 'basic', username: 'alice', password: 'pa55-word' },
  });
  await using tls = await tlsInFront(registry.host, server);
  await using proxy = await startProxy(tls.port);
  await pushImage(app('registry.test'), testImage([150_000]), options(proxy.host));
  expect(registry.tags.has('team/app:v1')).toBe(true);
  const basic = `Basic ${Buffer.from('mallory:pr0xy').toString('base64')}`;
  for (const { authority: target, headers } of proxy.seen) {
    expect(target).toBe('registry.test:443');
    expect(headers['proxy-authorization']).toBe(basic);
    expect(headers.authorization).toBeUndefined();
  }
  for (const { headers } of registry.seen) expect(JSON.stringify(headers)).not.toContain(basic);
});

test('a proxy that refuses is reported as such, without its password', async () => {
  await using proxy = await startProxy(1, 407);
  const error: unknown = await pullImage(app('registry.test'), options(proxy.host)).catch(
    (each: unknown) => each,
  );
  expect(error).toMatchObject({ code: 'oci/proxy' });
  expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('pr0xy');
});

test('a mirror behind a proxy that refuses is passed over, and not asked for the next image', async () => {
  await using registry = await scriptedRegistry();
  const image = testImage();
  await pushImage(app(registry.host), image, quickOptions());
  await using proxy = await startProxy(1, 502);
  const mirror = parseMirror(`${registry.host}=registry.test`);
  if (typeof mirror === 'string') return expect.fail(mirror);
  const pull = quickOptions({ env: { HTTPS_PROXY: `http://${proxy.host}` }, mirrors: [mirror] });
  for (let images = 0; images < 2; images++)
    expect((await pullImage(app(registry.host), pull)).root.digest).toBe(image.root.digest);
  expect(proxy.seen.length).toBe(1);
  expect(pull.lines.at(-1)).toBe('not asking the mirror registry.test, which could not be reached before');
});

test('a proxy that never answers does not keep a command that is interrupted', async () => {
  const sockets = new Set<Socket>();
  const silent = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  const host = await listen(silent);
  try {
    const interrupt = new AbortController();
    const pull = pullImage(app('registry.test'), options(host, interrupt.signal));
    const [socket] = (await once(silent, 'connection')) as [Socket];
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    interrupt.abort(new Error('interrupted'));
    await expect(pull).rejects.toThrow('interrupted');
    // Else it would keep the process alive.
    await closed;
  } finally {
    await stop(silent, sockets);
  }
});
