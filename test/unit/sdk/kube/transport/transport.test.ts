import { once } from 'node:events';
import { createServer as createTcp, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { TransportError } from '../../../../../src/sdk/kube/transport/transport-error.ts';
import type { Exchange } from '../support/scripted-server.ts';
import { cleanups, closeAll, serve, open, listening, thrown, target } from '../support/open-transport.ts';

afterEach(closeAll);

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

  test('asks beforeSend when there is a connection, sends nothing if it throws, and keeps the connection', async () => {
    const { server, transport } = await serve(protocol, (each) => each.reply(200, {}));
    let connections: number | undefined;
    const beforeSend = (): void => {
      connections = server.connections();
      throw new Error('too late');
    };
    for (let index = 0; index < 3; index += 1)
      await expect(transport.request({ method: 'POST', path: '/', beforeSend })).rejects.toThrow('too late');
    expect(connections).toBe(1);
    await transport.request({ method: 'GET', path: '/' });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
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

  test('connects again after the server came back', async () => {
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
