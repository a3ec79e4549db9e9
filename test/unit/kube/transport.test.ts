import { once } from 'node:events';
import { createServer as createHttps } from 'node:https';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createTcp, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createHttp } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTransport, type Protocol } from '../../../src/kube/transport/create-transport.ts';
import { TransportError } from '../../../src/kube/transport/transport-error.ts';
import type { Transport, TransportSettings, TransportTarget } from '../../../src/kube/transport/transport.ts';
import { createCertificateAuthority } from '../../../src/x509/certificate-authority.ts';
import {
  scriptedServer,
  type Exchange,
  type ScriptedProtocol,
  type ScriptedServer,
} from './support/scripted-server.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(
  protocol: ScriptedProtocol,
  script: (exchange: Exchange) => void,
  options: Parameters<typeof scriptedServer>[2] & { readonly settings?: Partial<TransportSettings> } = {},
): Promise<{ server: ScriptedServer; transport: Transport }> {
  const server = await scriptedServer(protocol, script, options);
  const transport = open(server.cluster, protocol, options.settings);
  cleanups.push(() => server.close());
  cleanups.push(() => transport.close());
  return { server, transport };
}

function open(target: TransportTarget, protocol: Protocol, settings?: Partial<TransportSettings>): Transport {
  const transport = createTransport(target, protocol, settings);
  cleanups.push(() => transport.close());
  return transport;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function thrown(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const target = (url: string, more: Partial<TransportTarget> = {}): TransportTarget => ({
  server: new URL(url),
  tls: () => Promise.resolve({}),
  ...more,
});

describe.each(['http2', 'http1'] as const)('the %s transport', (protocol) => {
  test('sends method, path, headers and body, and gives back the answer', async () => {
    const { server, transport } = await serve(protocol, (each) =>
      each.reply(201, { got: each.body }, { 'x-answer': 'yes' }),
    );
    const response = await transport.request({
      method: 'POST',
      path: '/api/v1/things?limit=1',
      headers: { 'X-Many': ['a', 'b'], accept: 'application/json' },
      body: '{"ü":1}',
    });
    expect(response).toMatchObject({ status: 201, headers: { 'x-answer': 'yes' } });
    expect(response.body.toString()).toBe('{"got":"{\\"ü\\":1}"}');
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/things',
      query: { limit: '1' },
    });
    expect(server.requests[0]?.headers).toMatchObject({ 'x-many': 'a, b', 'content-length': '8' });
  });

  test('puts the path of the server before that of the request', async () => {
    const { server } = await serve(protocol, (each) => each.reply(200, {}));
    const proxied = open(
      { ...server.cluster, server: new URL('/clusters/a/', server.cluster.server) },
      protocol,
    );
    await proxied.request({ method: 'GET', path: '/version' });
    expect(server.requests[0]?.path).toBe('/clusters/a/version');
  });

  test('keeps its connection', async () => {
    const { server, transport } = await serve(protocol, (each) => each.reply(200, {}));
    for (let index = 0; index < 20; index += 1) await transport.request({ method: 'GET', path: '/' });
    expect(server.requests).toHaveLength(20);
    expect(server.connections()).toBe(1);
  });

  test('decompresses', async () => {
    const text = 'x'.repeat(200_000);
    const { transport } = await serve(protocol, (each) => {
      each.reply(200, each.path === '/bad' ? 'no gzip' : gzipSync(text), { 'content-encoding': 'gzip' });
    });
    const response = await transport.request({
      method: 'GET',
      path: '/',
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(response.body.toString() === text).toBe(true);
    await expect(transport.request({ method: 'GET', path: '/bad' })).rejects.toMatchObject({
      code: 'kube/bad-response',
    });
  });

  test('streams chunks as they come', async () => {
    let exchange: Exchange | undefined;
    const { transport } = await serve(protocol, (each) => {
      exchange = each;
      each.open();
    });
    const stream = await transport.stream({ method: 'GET', path: '/' });
    const chunks: string[] = [];
    const reading = stream.read((chunk) => {
      chunks.push(chunk.toString());
      if (chunks.length === 1) exchange?.end('two');
    });
    exchange?.write('one');
    await reading;
    expect(chunks).toEqual(['one', 'two']);
  });

  test('a stream that is cancelled ends regularly and delivers nothing more', async () => {
    let exchange: Exchange | undefined;
    const { transport } = await serve(protocol, (each) => {
      exchange = each;
      each.open();
      each.write('one');
    });
    const stream = await transport.stream({ method: 'GET', path: '/' });
    const chunks: string[] = [];
    await stream.read((chunk) => {
      chunks.push(chunk.toString());
      stream.cancel();
      exchange?.write('two');
    });
    await exchange?.closed;
    expect(chunks).toEqual(['one']);
  });

  test('an error of the reader ends the stream and is thrown', async () => {
    let exchange: Exchange | undefined;
    const { transport } = await serve(protocol, (each) => {
      exchange = each;
      each.open();
      each.write('one');
    });
    const stream = await transport.stream({ method: 'GET', path: '/' });
    await expect(
      stream.read(() => {
        throw new Error('a defect');
      }),
    ).rejects.toThrow('a defect');
    await exchange?.closed;
  });

  test('an abort ends a request and a stream with the reason of the signal', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const { server, transport } = await serve(protocol, (each) =>
      each.path === '/stream' ? each.open() : undefined,
    );
    const stream = await transport.stream({ method: 'GET', path: '/stream', signal: abort.signal });
    const reading = thrown(stream.read(() => undefined));
    const waiting = thrown(transport.request({ method: 'GET', path: '/', signal: abort.signal }));
    await vi.waitUntil(() => server.requests.length === 2);
    abort.abort(reason);
    expect(await reading).toBe(reason);
    expect(await waiting).toBe(reason);
    expect(await thrown(transport.request({ method: 'GET', path: '/', signal: abort.signal }))).toBe(reason);
  });

  test('many requests may share one signal without a warning', async () => {
    const warnings: Error[] = [];
    const listener = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listener);
    const abort = new AbortController();
    const { transport } = await serve(protocol, (each) => setTimeout(() => each.reply(200, {}), 5));
    const requests = Array.from({ length: 30 }, () =>
      transport.request({ method: 'GET', path: '/', signal: abort.signal }),
    );
    await Promise.all(requests);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listener);
    expect(warnings).toEqual([]);
  });

  test.each(['/never', '/half'])('gives up after its timeout (%s)', async (path) => {
    const { transport } = await serve(protocol, (each) => {
      if (each.path === '/first') each.reply(200, {});
      if (each.path === '/half') {
        each.open();
        each.write('half');
      }
    });
    // Connecting is no part of it: on a busy machine it may take longer than the timeout.
    await transport.request({ method: 'GET', path: '/first' });
    const error = await thrown(transport.request({ method: 'GET', path, timeout: 50 }));
    expect(error).toMatchObject({ code: 'kube/timeout', neverSent: false });
  });

  test.each(['/headers', '/body'])('says when the connection breaks (%s)', async (path) => {
    const { transport } = await serve(protocol, (each) => {
      if (each.path === '/body') {
        each.open();
        each.write('half');
      }
      setTimeout(() => each.reset(), 10);
    });
    const error = await thrown(transport.request({ method: 'GET', path }));
    expect(error).toMatchObject({ code: 'kube/connection-lost', neverSent: false });
  });

  test('says when nobody listens, and that nothing was sent', async () => {
    const spare = createTcp();
    const port = await listening(spare);
    spare.close();
    await once(spare, 'close');
    const error = await thrown(
      open(target(`http://127.0.0.1:${port}`), protocol).request({ method: 'POST', path: '/', body: '{}' }),
    );
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: 'kube/unreachable', neverSent: true });
    expect((error as Error).message).toContain(`http://127.0.0.1:${port}`);
  });

  test('connects anew after the server came back', async () => {
    let first = true;
    const { server, transport } = await serve(protocol, (each) => {
      if (first) each.goAway();
      each.reply(200, {}, protocol === 'http1' && first ? { connection: 'close' } : {});
      first = false;
    });
    await transport.request({ method: 'GET', path: '/' });
    await transport.request({ method: 'GET', path: '/' });
    expect(server.connections()).toBe(2);
  });

  test('refuses requests after close, and ends those in flight', async () => {
    const { server, transport } = await serve(protocol, () => undefined);
    const waiting = thrown(transport.request({ method: 'GET', path: '/' }));
    await vi.waitUntil(() => server.requests.length === 1);
    await transport.close();
    await transport.close();
    expect(await waiting).toBeInstanceOf(TransportError);
    expect(await thrown(transport.request({ method: 'GET', path: '/' }))).toMatchObject({
      code: 'kube/connection-closed',
    });
  });

  test('a connection that is not answered is given up', async () => {
    const sockets: Socket[] = [];
    const silent = createTcp((socket) => void sockets.push(socket));
    const port = await listening(silent);
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const transport = open(target(`https://127.0.0.1:${port}`), protocol, { connectTimeout: 50 });
    const error = await thrown(transport.request({ method: 'GET', path: '/' }));
    expect(error).toMatchObject({ code: 'kube/unreachable', neverSent: true });
  });

  /** Accepts connections, and says nothing. */
  async function mute(): Promise<{ url: string; sockets: Set<Socket> }> {
    const sockets = new Set<Socket>();
    const server = createTcp((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      socket.resume();
    });
    const port = await listening(server);
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return { url: `https://127.0.0.1:${port}`, sockets };
  }

  test('an abort and a timeout of a request do not wait for the connection', async () => {
    const { url } = await mute();
    const transport = open(target(url), protocol, { connectTimeout: 600_000 });
    const abort = new AbortController();
    const aborted = thrown(transport.request({ method: 'GET', path: '/', signal: abort.signal }));
    const late = thrown(transport.request({ method: 'POST', path: '/', timeout: 50 }));
    const reason = new Error('enough');
    setTimeout(() => abort.abort(reason), 20);
    expect(await aborted).toBe(reason);
    expect(await late).toMatchObject({ code: 'kube/timeout' });
    expect(String(await late)).toContain('within 0.05 s');
  });

  test('close ends a connection that is still being made', async () => {
    const { url, sockets } = await mute();
    const transport = open(target(url), protocol, { connectTimeout: 600_000 });
    const waiting = thrown(transport.request({ method: 'GET', path: '/' }));
    await vi.waitUntil(() => sockets.size === 1);
    await transport.close();
    expect(await waiting).toMatchObject({ code: 'kube/connection-closed' });
    await vi.waitUntil(() => sockets.size === 0);
  });
});

describe('the http2 transport', () => {
  test("R18 opens a second session before it exceeds the server's limit of streams", async () => {
    const { server, transport } = await serve(
      'http2',
      (each) => (each.path === '/watch' ? each.open() : each.reply(200, {})),
      {
        maxConcurrentStreams: 3,
      },
    );
    const watches = await Promise.all(
      Array.from({ length: 5 }, () => transport.stream({ method: 'GET', path: '/watch' })),
    );
    expect(server.connections()).toBe(2);
    await transport.request({ method: 'GET', path: '/' });
    expect(server.connections()).toBe(2);
    for (const watch of watches) watch.cancel();
  });

  test('R17 sends a request again that the server refused, whatever its method', async () => {
    const { server, transport } = await serve('http2', (each) =>
      each.index === 0 ? each.refuse() : each.reply(200, {}),
    );
    const response = await transport.request({ method: 'POST', path: '/', body: '{}' });
    expect(response.status).toBe(200);
    expect(server.requests).toHaveLength(2);
    expect(server.connections()).toBe(2);
  });

  test('R17 closes a session that takes no more requests as soon as it is unused', async () => {
    const { server, transport } = await serve('http2', (each) =>
      each.index === 0 ? each.refuse() : each.reply(200, {}),
    );
    await transport.request({ method: 'GET', path: '/' });
    await transport.request({ method: 'GET', path: '/' });
    expect(server.connections()).toBe(2);
    await vi.waitUntil(() => server.open() === 1);
  });

  test('R18 closes the sessions of a burst when they are unused', async () => {
    const { server, transport } = await serve(
      'http2',
      (each) => void setTimeout(() => each.reply(200, {}), 10),
      {
        maxConcurrentStreams: 1,
        settings: { pingAfterIdle: 20 },
      },
    );
    const get = (): Promise<unknown> => transport.request({ method: 'GET', path: '/' });
    await Promise.all([get(), get(), get()]);
    expect(server.open()).toBe(3);
    await vi.waitUntil(async () => (await get(), server.open() === 1));
    expect(server.connections()).toBe(3);
  });

  test('R17 does not repeat for ever', async () => {
    const { server, transport } = await serve('http2', (each) => each.refuse());
    expect(await thrown(transport.request({ method: 'GET', path: '/' }))).toMatchObject({
      code: 'kube/connection-lost',
      neverSent: true,
    });
    expect(server.requests).toHaveLength(4);
  });

  test('R17 does not repeat a request that may have been processed', async () => {
    const { server, transport } = await serve('http2', (each) => each.reset());
    expect(await thrown(transport.request({ method: 'POST', path: '/', body: '{}' }))).toMatchObject({
      neverSent: false,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('R17 lets the streams of a session finish that is going away', async () => {
    let watch: Exchange | undefined;
    const { server, transport } = await serve('http2', (each) => {
      if (each.path === '/watch') {
        watch = each;
        each.open();
        each.goAway();
      } else each.reply(200, {});
    });
    const stream = await transport.stream({ method: 'GET', path: '/watch' });
    await new Promise((resolve) => setTimeout(resolve, 30));
    await transport.request({ method: 'GET', path: '/' });
    expect(server.connections()).toBe(2);
    const chunks: string[] = [];
    const reading = stream.read((chunk) => chunks.push(chunk.toString()));
    watch?.end('last words');
    await reading;
    expect(chunks).toEqual(['last words']);
  });

  test('R27 close does not wait for a peer that has said that it goes away and then falls silent', async () => {
    const { server } = await serve('http2', (each) => {
      each.open();
      each.goAway();
    });
    const halves: Socket[] = [];
    // Freezes like a machine whose network is gone: nothing comes through, not even the end of the connection.
    const relay = createTcp({ allowHalfOpen: true }, (near) => {
      const far = connect({
        port: Number(server.cluster.server.port),
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      halves.push(near, far);
      for (const half of halves) half.on('error', () => undefined);
      near.pipe(far);
      far.pipe(near);
    });
    const port = await listening(relay);
    cleanups.push(() => {
      for (const half of halves) half.destroy();
      relay.close();
    });
    const transport = open(target(`http://127.0.0.1:${port}`), 'http2');
    const stream = await transport.stream({ method: 'GET', path: '/' });
    const reading = thrown(stream.read(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, 30));
    for (const half of halves) half.unpipe().pause();
    await transport.close();
    expect(await reading).toMatchObject({ code: 'kube/connection-lost' });
  });

  test('R16 ends a session whose peer does not answer a PING', async () => {
    const { server } = await serve('http2', (each) => each.open());
    // A relay that can be frozen: the connection stays, but nothing comes through.
    const halves: Socket[] = [];
    const relay = createTcp((near) => {
      const far = connect(Number(server.cluster.server.port), '127.0.0.1');
      halves.push(near, far);
      near.on('error', () => undefined);
      far.on('error', () => undefined);
      near.pipe(far);
      far.pipe(near);
    });
    const port = await listening(relay);
    cleanups.push(() => {
      for (const half of halves) half.destroy();
      relay.close();
    });
    const transport = open(target(`http://127.0.0.1:${port}`), 'http2', {
      pingAfterIdle: 40,
      // Long enough for a busy machine to answer.
      pingTimeout: 1_000,
    });
    const stream = await transport.stream({ method: 'GET', path: '/' });
    const reading = thrown(stream.read(() => undefined));
    // Healthy for several intervals …
    const early = await Promise.race([
      reading,
      new Promise((resolve) => setTimeout(() => resolve('alive'), 300)),
    ]);
    expect(early).toBe('alive');
    // … until the peer falls silent.
    for (const half of halves) half.unpipe();
    expect(await reading).toMatchObject({ code: 'kube/connection-lost' });
    expect(String(await reading)).toContain('no answer to a PING within 1 s');
  });
});

describe('TLS', () => {
  const authority = createCertificateAuthority('test CA');
  const serverPair = authority.issue({
    commonName: 'server',
    usage: 'server',
    dnsNames: ['api.example'],
    ipAddresses: ['127.0.0.1'],
  });
  const clientPair = authority.issue({ commonName: 'admin', usage: 'client' });

  async function tlsServer(kind: 'h2' | 'http/1.1'): Promise<{ url: string; seen: string[] }> {
    const seen: string[] = [];
    const options = {
      cert: serverPair.certificate,
      key: serverPair.key,
      ca: authority.certificate,
      requestCert: true,
    };
    const sockets = new Set<Socket>();
    const server =
      kind === 'h2'
        ? createSecureServer(
            { ...options, allowHTTP1: false },
            (request: Http2ServerRequest, response: Http2ServerResponse) => {
              seen.push(request.httpVersion);
              response.end('{}');
            },
          )
        : createHttps(options, (request, response) => {
            seen.push(request.httpVersion);
            response.end('{}');
          });
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    server.on('sessionError', () => undefined);
    server.on('tlsClientError', () => undefined);
    const port = await listening(server);
    cleanups.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    return { url: `https://127.0.0.1:${port}`, seen };
  }

  const trusted = { ca: authority.certificate, cert: clientPair.certificate, key: clientPair.key };

  test('ALPN chooses HTTP/2', async () => {
    const { url, seen } = await tlsServer('h2');
    await open(target(url, { tls: () => Promise.resolve(trusted) }), 'auto').request({
      method: 'GET',
      path: '/',
    });
    expect(seen).toEqual(['2.0']);
  });

  test('a server without HTTP/2 gets HTTP/1.1, from then on at once', async () => {
    const { url, seen } = await tlsServer('http/1.1');
    let connections = 0;
    const transport = open(
      target(url, { tls: () => Promise.resolve(((connections += 1), trusted)) }),
      'auto',
    );
    await Promise.all([
      transport.request({ method: 'GET', path: '/' }),
      transport.request({ method: 'GET', path: '/' }),
    ]);
    await transport.request({ method: 'GET', path: '/' });
    expect(seen).toEqual(['1.1', '1.1', '1.1']);
    expect(connections).toBeLessThanOrEqual(3);
  });

  test('refuses a certificate of another CA and one without the name', async () => {
    const { url } = await tlsServer('h2');
    const other = createCertificateAuthority('other CA').certificate;
    const wrongCa = open(target(url, { tls: () => Promise.resolve({ ca: other }) }), 'auto');
    expect(await thrown(wrongCa.request({ method: 'GET', path: '/' }))).toMatchObject({
      code: 'kube/tls',
      neverSent: true,
    });
    const wrongName = open(
      target(url, { tls: () => Promise.resolve({ ...trusted, serverName: 'other.example' }) }),
      'auto',
    );
    expect(await thrown(wrongName.request({ method: 'GET', path: '/' }))).toMatchObject({ code: 'kube/tls' });
    const badKey = open(target(url, { tls: () => Promise.resolve({ ...trusted, key: 'nonsense' }) }), 'auto');
    expect(await thrown(badKey.request({ method: 'GET', path: '/' }))).toMatchObject({ code: 'kube/tls' });
  });

  test.each(['auto', 'http1'] as const)(
    'says when the server wants a client certificate (%s)',
    async (protocol) => {
      const { url } = await tlsServer(protocol === 'auto' ? 'h2' : 'http/1.1');
      const transport = open(
        target(url, { tls: () => Promise.resolve({ ca: authority.certificate }) }),
        protocol,
      );
      const error = await thrown(transport.request({ method: 'GET', path: '/' }));
      expect(error).toBeInstanceOf(TransportError);
      expect(String(error)).toMatch(/certificate/);
    },
  );

  test('tls-server-name and insecure-skip-tls-verify do what they say', async () => {
    const { url, seen } = await tlsServer('h2');
    await open(
      target(url, { tls: () => Promise.resolve({ ...trusted, serverName: 'api.example' }) }),
      'auto',
    ).request({ method: 'GET', path: '/' });
    const unchecked = {
      ...trusted,
      ca: createCertificateAuthority('other CA').certificate,
      insecureSkipVerify: true,
    };
    await open(target(url, { tls: () => Promise.resolve(unchecked) }), 'auto').request({
      method: 'GET',
      path: '/',
    });
    expect(seen).toHaveLength(2);
  });

  test.each(['auto', 'http1'] as const)(
    'R24 goes through an HTTP proxy with CONNECT (%s)',
    async (protocol) => {
      const { url, seen } = await tlsServer(protocol === 'auto' ? 'h2' : 'http/1.1');
      const asked: unknown[] = [];
      const sockets: Socket[] = [];
      const proxy = createHttp();
      proxy.on('connect', (request, near: Socket) => {
        asked.push([request.url, request.headers['proxy-authorization']]);
        const far = connect(Number(new URL(url).port), '127.0.0.1', () => {
          near.write('HTTP/1.1 200 OK\r\n\r\n');
          near.pipe(far);
          far.pipe(near);
        });
        sockets.push(near, far);
        for (const socket of [near, far]) socket.on('error', () => undefined);
      });
      const port = await listening(proxy);
      cleanups.push(() => {
        for (const socket of sockets) socket.destroy();
        proxy.close();
      });
      const via = target(url, {
        tls: () => Promise.resolve(trusted),
        proxy: new URL(`http://user:p%40ss@127.0.0.1:${port}`),
      });
      await open(via, protocol).request({ method: 'GET', path: '/' });
      expect(seen).toHaveLength(1);
      expect(asked).toEqual([[new URL(url).host, `Basic ${Buffer.from('user:p@ss').toString('base64')}`]]);
    },
  );

  test('R24 loses nothing that the server says before it is asked', async () => {
    const { server } = await serve('http2', (each) => each.reply(200, {}));
    const sockets: Socket[] = [];
    const proxy = createHttp();
    proxy.on('connect', (_request, near: Socket) => {
      const far = connect(Number(server.cluster.server.port), '127.0.0.1');
      sockets.push(near, far);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      far.once('data', (first: Buffer) => {
        near.write(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), first]));
        near.pipe(far);
        far.pipe(near);
      });
    });
    const port = await listening(proxy);
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    });
    const via = { ...server.cluster, proxy: new URL(`http://127.0.0.1:${port}`) };
    const response = await open(via, 'http2').request({ method: 'GET', path: '/', timeout: 30_000 });
    expect(response.status).toBe(200);
  });

  test('R24 says what the proxy answered', async () => {
    const proxy = createHttp((_request, response) => response.end());
    proxy.on('connect', (_request, socket: Socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    const port = await listening(proxy);
    cleanups.push(() => void proxy.close());
    const via = target('https://api.example', { proxy: new URL(`http://127.0.0.1:${port}`) });
    const error = await thrown(open(via, 'auto').request({ method: 'GET', path: '/' }));
    expect(error).toMatchObject({ code: 'kube/unreachable', neverSent: true });
    expect(String(error)).toContain('it answered 403 to CONNECT');
  });
});
