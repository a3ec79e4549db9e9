import { createServer as createTcp, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../support/scripted-server.ts';
import { cleanups, closeAll, serve, open, listening, thrown, target } from '../support/open-transport.ts';

afterEach(closeAll);

describe('the http2 transport', () => {
  test("R18: opens a second session before it exceeds the server's limit of streams", async () => {
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

  test('R17: sends a request again that the server refused, whatever its method', async () => {
    const { server, transport } = await serve('http2', (each) =>
      each.index === 0 ? each.refuse() : each.reply(200, {}),
    );
    const response = await transport.request({ method: 'POST', path: '/', body: '{}' });
    expect(response.status).toBe(200);
    expect(server.requests).toHaveLength(2);
    expect(server.connections()).toBe(2);
  });

  test('R17: closes a session that takes no more requests as soon as it is unused', async () => {
    const { server, transport } = await serve('http2', (each) =>
      each.index === 0 ? each.refuse() : each.reply(200, {}),
    );
    await transport.request({ method: 'GET', path: '/' });
    await transport.request({ method: 'GET', path: '/' });
    expect(server.connections()).toBe(2);
    await vi.waitUntil(() => server.open() === 1);
  });

  test('R18: closes the sessions of a burst when they are unused', async () => {
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

  test('R17: does not repeat without end', async () => {
    const { server, transport } = await serve('http2', (each) => each.refuse());
    expect(await thrown(transport.request({ method: 'GET', path: '/' }))).toMatchObject({
      code: 'kube/connection-lost',
      neverSent: true,
    });
    expect(server.requests).toHaveLength(4);
  });

  test('R17: does not repeat a request that may have been processed', async () => {
    const { server, transport } = await serve('http2', (each) => each.reset());
    expect(await thrown(transport.request({ method: 'POST', path: '/', body: '{}' }))).toMatchObject({
      neverSent: false,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('R17: lets the streams of a session finish that is going away', async () => {
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

  test('R27: close does not wait for a peer that has said that it goes away and then falls silent', async () => {
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

  test('R16: ends a session whose peer does not answer a PING', async () => {
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
