import { once } from 'node:events';
import { createServer as createHttps } from 'node:https';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { createServer as createHttp } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { TransportError } from '../../../../../src/sdk/kube/transport/transport-error.ts';
import type { TlsMaterial, Transport } from '../../../../../src/sdk/kube/transport/transport.ts';
import { createCertificateAuthority } from '../../../../../src/sdk/x509/certificate-authority.ts';
import { cleanups, closeAll, serve, open, listening, thrown, target } from '../support/open-transport.ts';

afterEach(closeAll);

describe('TLS', () => {
  const authority = createCertificateAuthority('test CA');
  const serverPair = authority.issue({
    commonName: 'server',
    usage: 'server',
    dnsNames: ['api.example'],
    ipAddresses: ['127.0.0.1'],
  });
  const clientPair = authority.issue({ commonName: 'admin', usage: 'client' });

  async function tlsServer(kind: 'h2' | 'http/1.1' | 'both'): Promise<{ url: string; seen: string[] }> {
    const seen: string[] = [];
    const options = {
      cert: serverPair.certificate,
      key: serverPair.key,
      ca: authority.certificate,
      requestCert: true,
    };
    const sockets = new Set<Socket>();
    const server =
      kind !== 'http/1.1'
        ? createSecureServer(
            { ...options, allowHTTP1: kind === 'both' },
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

  test('single requests go over HTTP/1.1 and streams over HTTP/2', async () => {
    const { url, seen } = await tlsServer('both');
    const transport = open(target(url, { tls: () => Promise.resolve(trusted) }), 'auto');
    await transport.request({ method: 'GET', path: '/' });
    const stream = await transport.stream({ method: 'GET', path: '/' });
    await stream.read(() => undefined);
    expect(seen).toEqual(['1.1', '2.0']);
  });

  test('a server that speaks only HTTP/2 gets it for everything, from then on at once', async () => {
    const { url, seen } = await tlsServer('h2');
    let connections = 0;
    const transport = open(
      target(url, { tls: () => Promise.resolve(((connections += 1), trusted)) }),
      'auto',
    );
    for (let index = 0; index < 3; index += 1) await transport.request({ method: 'GET', path: '/' });
    const stream = await transport.stream({ method: 'GET', path: '/' });
    await stream.read(() => undefined);
    expect(seen).toEqual(['2.0', '2.0', '2.0', '2.0']);
    expect(connections).toBe(2);
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
    for (let index = 0; index < 2; index += 1) {
      const stream = await transport.stream({ method: 'GET', path: '/' });
      await stream.read(() => undefined);
    }
    expect(seen).toEqual(['1.1', '1.1', '1.1', '1.1']);
    // Two at a time for requests, one that finds no HTTP/2.
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
      const { url } = await tlsServer(protocol === 'auto' ? 'both' : 'http/1.1');
      const transport = open(
        target(url, { tls: () => Promise.resolve({ ca: authority.certificate }) }),
        protocol,
      );
      const error = await thrown(transport.request({ method: 'GET', path: '/' }));
      expect(error).toBeInstanceOf(TransportError);
      expect(String(error)).toMatch(/certificate/);
    },
  );

  /** Says whose certificate each request came with; `/watch` does not end. */
  async function whoAmI(): Promise<{ url: string; end: () => void }> {
    const watches: Http2ServerResponse[] = [];
    const sockets = new Set<Socket>();
    const server = createSecureServer(
      {
        cert: serverPair.certificate,
        key: serverPair.key,
        ca: authority.certificate,
        requestCert: true,
        allowHTTP1: true,
      },
      (request: Http2ServerRequest, response: Http2ServerResponse) => {
        const name = String((request.socket as TLSSocket).getPeerCertificate().subject.CN);
        if (request.url !== '/watch') return void response.end(name);
        watches.push(response);
        response.write(name);
      },
    );
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    const port = await listening(server);
    cleanups.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    return {
      url: `https://127.0.0.1:${port}`,
      end: () => {
        for (const watch of watches) watch.end(' to the end');
      },
    };
  }

  describe.each(['http1', 'http2', 'auto'] as const)('R20: rotation (%s)', (protocol) => {
    const renewed = authority.issue({ commonName: 'renewed', usage: 'client' });
    const renewedMaterial = { ...trusted, cert: renewed.certificate, key: renewed.key };
    const ask = async (transport: Transport): Promise<string> =>
      (await transport.request({ method: 'GET', path: '/' })).body.toString();

    test('connections with an old certificate take no more requests, and what runs on them goes on', async () => {
      const { url, end } = await whoAmI();
      let material: TlsMaterial = trusted;
      const transport = open(target(url, { tls: () => Promise.resolve({ ...material }) }), protocol);
      const watch = await transport.stream({ method: 'GET', path: '/watch' });
      let seen = '';
      const watching = watch.read((chunk) => (seen += chunk.toString()));
      expect(await ask(transport)).toBe('admin');
      expect(await transport.renew()).toBe(false);
      expect(await ask(transport)).toBe('admin');
      material = renewedMaterial;
      expect(await transport.renew()).toBe(true);
      expect(await ask(transport)).toBe('renewed');
      const next = await transport.stream({ method: 'GET', path: '/' });
      await next.read((chunk) => expect(chunk.toString()).toBe('renewed'));
      end();
      await watching;
      expect(seen).toBe('admin to the end');
    });

    test('a new certificate is seen without a new connection being needed', async () => {
      const { url } = await whoAmI();
      let material: TlsMaterial = trusted;
      const transport = open(target(url, { tls: () => Promise.resolve(material) }), protocol, {
        rereadTlsAfter: 0,
      });
      expect(await ask(transport)).toBe('admin');
      material = renewedMaterial;
      await ask(transport);
      await vi.waitUntil(async () => (await ask(transport)) === 'renewed');
    });

    test('files that cannot be read for a moment end nothing', async () => {
      const { url } = await whoAmI();
      let isThere = true;
      const tls = (): Promise<TlsMaterial> =>
        isThere ? Promise.resolve(trusted) : Promise.reject(new Error('half written'));
      const transport = open(target(url, { tls }), protocol, { rereadTlsAfter: 0 });
      expect(await ask(transport)).toBe('admin');
      isThere = false;
      for (let index = 0; index < 3; index += 1) expect(await ask(transport)).toBe('admin');
      await expect(transport.renew()).rejects.toThrow('half written');
    });
  });

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
    'R24: goes through an HTTP proxy with CONNECT (%s)',
    async (protocol) => {
      const { url, seen } = await tlsServer(protocol === 'auto' ? 'both' : 'http/1.1');
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

  test('R24: loses nothing that the server says before it is asked', async () => {
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

  test('R24: says what the proxy answered', async () => {
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
