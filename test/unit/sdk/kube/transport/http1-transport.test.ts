import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type {
  Transport,
  TransportRequest,
  TransportSettings,
} from '../../../../../src/sdk/kube/transport/transport.ts';
import { cleanups, closeAll, listening, open, serve, target, thrown } from '../support/open-transport.ts';
import type { Exchange } from '../support/scripted-server.ts';

afterEach(closeAll);

const get: TransportRequest = { method: 'GET', path: '/', timeout: 30_000 };
const post: TransportRequest = { method: 'POST', path: '/', body: '{}', timeout: 30_000 };
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** A server of bytes: `answer` gets each request's text with the socket, and how many came on the connection before. */
async function bytesServer(
  answer: (socket: Socket, request: string, index: number) => void,
  settings?: Partial<TransportSettings>,
): Promise<{ transport: Transport; sockets: Socket[]; requests: string[] }> {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let index = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      requests.push(chunk.toString('latin1'));
      answer(socket, chunk.toString('latin1'), index);
      index += 1;
    });
  });
  const port = await listening(server);
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { transport: open(target(`http://127.0.0.1:${port}`), 'http1', settings), sockets, requests };
}

describe('what is sent', () => {
  test('is one write of a head that says all, and the body', async () => {
    const { transport, requests } = await bytesServer((socket) => socket.write(ok));
    await transport.request({
      ...post,
      path: '/a?b=c',
      body: '"ü"',
      headers: { accept: 'x', 'x-many': ['1', '2'] },
    });
    await transport.request({ ...get, headers: { 'x-latin': 'é' } });
    await transport.request({ ...post, body: '"ü"', headers: { 'x-latin': 'é' } });
    await transport.request({ method: 'PATCH', path: '/' });
    const host = /host: \S+/.exec(requests[0] ?? '')?.[0];
    expect(requests).toEqual([
      `POST /a?b=c HTTP/1.1\r\n${host}\r\naccept: x\r\nx-many: 1\r\nx-many: 2\r\ncontent-length: 4\r\n\r\n"\xc3\xbc"`,
      `GET / HTTP/1.1\r\n${host}\r\nx-latin: \xe9\r\n\r\n`,
      `POST / HTTP/1.1\r\n${host}\r\nx-latin: \xe9\r\ncontent-length: 4\r\n\r\n"\xc3\xbc"`,
      `PATCH / HTTP/1.1\r\n${host}\r\ncontent-length: 0\r\n\r\n`,
    ]);
  });

  test.each<[string, Partial<TransportRequest>]>([
    ['a method', { method: 'GET / HTTP/1.1\r\nx: y' }],
    ['a path', { path: '/a HTTP/1.1\r\nx: y' }],
    ['a path with a space', { path: '/a b' }],
    ['a path beyond ASCII', { path: '/ü' }],
    ['a name', { headers: { 'x\r\ny': 'z' } }],
    ['a value', { headers: { x: 'hush\r\ny: z' } }],
    ['one of many values', { headers: { x: ['y', 'hush\n'] } }],
    ['a value beyond Latin-1', { headers: { x: 'hush€' } }],
    ['a length of its own', { headers: { 'Content-Length': '3' } }],
    ['another framing', { headers: { 'transfer-encoding': 'chunked' } }],
  ])('is refused if the head would say something else: %s', async (_name, request) => {
    const { transport, sockets } = await bytesServer((socket) => socket.write(ok));
    const error = await thrown(transport.request({ ...get, ...request }));
    expect(error).toMatchObject({ code: 'kube/invalid-request' });
    expect(String(error)).not.toContain('hush');
    expect(sockets).toEqual([]);
  });
});

describe('a connection', () => {
  test.each([
    ['bytes after an answer', `${ok}HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n"other"`],
    ['connection: close', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}'],
  ])('is not used again after %s', async (_name, first) => {
    const { transport, sockets } = await bytesServer((socket) =>
      socket.write(sockets.length === 1 ? first : ok),
    );
    for (let index = 0; index < 2; index += 1)
      expect((await transport.request(get)).body.toString()).toBe('{}');
    expect(sockets).toHaveLength(2);
    await vi.waitUntil(() => sockets[0]?.destroyed === true);
  });

  test('is not used again when bytes come that no request asked for', async () => {
    const { transport, sockets } = await bytesServer((socket) => socket.write(ok));
    await transport.request(get);
    sockets[0]?.write('HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n');
    await vi.waitUntil(() => sockets[0]?.destroyed === true);
    expect((await transport.request(get)).status).toBe(200);
    expect(sockets).toHaveLength(2);
  });

  test('that the server has closed while it was idle is not used for a write', async () => {
    const { transport, sockets, requests } = await bytesServer((socket) => socket.write(ok));
    await transport.request(post);
    sockets[0]?.end();
    await vi.waitUntil(() => sockets[0]?.destroyed === true);
    await nextTurn();
    expect((await transport.request(post)).status).toBe(200);
    expect(requests).toHaveLength(2);
    expect(sockets).toHaveLength(2);
  });

  test('that was reset without our having seen it: the write that the kernel refuses is sent again', async () => {
    const { transport, sockets, requests } = await bytesServer((socket) => socket.write(ok));
    await transport.request(post);
    // No turn of the event loop lies between: the client cannot know.
    sockets[0]?.resetAndDestroy();
    expect((await transport.request(post)).status).toBe(200);
    expect(requests).toHaveLength(2);
    expect(sockets).toHaveLength(2);
  });

  test('that breaks after a write was sent: it is not sent again', async () => {
    const { transport, sockets, requests } = await bytesServer((socket) => {
      if (requests.length === 1) socket.write(ok);
      else socket.resetAndDestroy();
    });
    await transport.request(post);
    expect(await thrown(transport.request(post))).toMatchObject({
      code: 'kube/connection-lost',
      neverSent: false,
    });
    expect(requests).toHaveLength(2);
    expect(sockets).toHaveLength(1);
  });

  test('is closed when it was idle for long', async () => {
    const { transport, sockets } = await bytesServer((socket) => socket.write(ok), { keepIdleSocket: 20 });
    await transport.request(get);
    await vi.waitUntil(() => sockets[0]?.destroyed === true);
    expect((await transport.request(get)).status).toBe(200);
    expect(sockets).toHaveLength(2);
  });

  test('an answer in single bytes is an answer', async () => {
    const { transport } = await bytesServer((socket) => {
      void (async () => {
        for (const byte of 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n') {
          socket.write(byte);
          await nextTurn();
        }
      })();
    });
    expect((await transport.request(get)).body.toString()).toBe('{}');
  });

  test('an answer that comes before the whole request ends the connection, not the request', async () => {
    const body = 'x'.repeat(20_000_000);
    const { transport, sockets } = await bytesServer((socket, _request, index) => {
      if (index > 0) return;
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n');
    });
    expect((await transport.request({ ...post, body })).status).toBe(413);
    sockets[0]?.resume();
    await vi.waitUntil(() => sockets[0]?.destroyed === true);
  });
});

describe('an answer that cannot be trusted', () => {
  test.each([
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n',
    'SSH-2.0-OpenSSH\r\n',
    `HTTP/1.1 200 OK\r\ncontent-length: ${2 ** 40}\r\n\r\n`,
  ])('ends the request and the connection: %j', async (answer) => {
    const { transport, sockets } = await bytesServer((socket) => socket.write(answer));
    const error = await thrown(transport.request(post));
    expect(error).toMatchObject({ code: 'kube/bad-response', neverSent: false });
    expect(String(error)).toContain('the answer to POST / is ');
    await vi.waitUntil(() => sockets[0]?.destroyed === true);
    expect(sockets).toHaveLength(1);
  });

  test('in the middle of a stream ends the stream', async () => {
    const { transport } = await bytesServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nx\r\n'),
    );
    const error = await thrown(transport.stream(get).then((stream) => stream.read(() => undefined)));
    expect(error).toMatchObject({ code: 'kube/bad-response' });
  });

  test.each([
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
    'HTTP/1.1 200 OK\r\n',
    '',
  ])('one that ends early is a lost connection: %j', async (answer) => {
    const { transport } = await bytesServer((socket) => socket.end(answer));
    expect(await thrown(transport.request(post))).toMatchObject({
      code: 'kube/connection-lost',
      neverSent: false,
    });
  });
});

describe('many requests', () => {
  test('share a limited number of connections, in the order of their arrival', async () => {
    const waiting: Exchange[] = [];
    const { server, transport } = await serve('http1', (each) => waiting.push(each), {
      settings: { maxConnections: 2 },
    });
    const ended: string[] = [];
    const all = ['/0', '/1', '/2', '/3', '/4'].map(async (path) => {
      await transport.request({ ...get, path });
      ended.push(path);
    });
    for (let index = 0; index < 5; index += 1) {
      await vi.waitUntil(() => waiting.length > index);
      waiting[index]?.reply(200, {});
      await vi.waitUntil(() => ended.length === index + 1);
    }
    await Promise.all(all);
    expect(server.requests.map(({ path }) => path).sort()).toEqual(['/0', '/1', '/2', '/3', '/4']);
    expect(server.requests.slice(2).map(({ path }) => path)).toEqual(['/2', '/3', '/4']);
    expect(server.connections()).toBe(2);
  });

  test('one that waits for a connection ends by its signal and its timeout', async () => {
    const { server, transport } = await serve('http1', () => undefined, { settings: { maxConnections: 1 } });
    const first = thrown(transport.request(get));
    await vi.waitUntil(() => server.requests.length === 1);
    const abort = new AbortController();
    const reason = new Error('enough');
    const aborted = thrown(transport.request({ ...post, signal: abort.signal }));
    expect(await thrown(transport.request({ ...post, timeout: 20 }))).toMatchObject({
      code: 'kube/timeout',
      neverSent: true,
    });
    abort.abort(reason);
    expect(await aborted).toBe(reason);
    await transport.close();
    expect(await first).toMatchObject({ code: 'kube/connection-closed', neverSent: false });
    expect(server.requests).toHaveLength(1);
  });

  test('streams do not hold them up', async () => {
    const { transport } = await serve(
      'http1',
      (each) => (each.path === '/watch' ? each.open() : each.reply(200, {})),
      {
        settings: { maxConnections: 1 },
      },
    );
    const streams = [];
    for (let index = 0; index < 3; index += 1)
      streams.push(await transport.stream({ ...get, path: '/watch' }));
    expect((await transport.request(get)).status).toBe(200);
    for (const stream of streams) stream.cancel();
  });

  test('all fail at once when nobody can be reached', async () => {
    const spare = createServer();
    const port = await listening(spare);
    spare.close();
    await once(spare, 'close');
    const transport = open(target(`http://127.0.0.1:${port}`), 'http1');
    const errors = await Promise.all(Array.from({ length: 50 }, () => thrown(transport.request(post))));
    for (const error of errors) expect(error).toMatchObject({ code: 'kube/unreachable', neverSent: true });
  });
});

describe('R16: a dead peer', () => {
  test('ends a request by its timeout, and the connections beside it are not tried', async () => {
    let isDead = false;
    const { server, transport } = await serve('http1', (each) => {
      if (!isDead) setImmediate(() => each.reply(200, {}));
    });
    await Promise.all([transport.request(get), transport.request(get), transport.request(get)]);
    const before = server.connections();
    expect(before).toBeGreaterThan(1);
    isDead = true;
    expect(await thrown(transport.request({ ...post, timeout: 20 }))).toMatchObject({ code: 'kube/timeout' });
    isDead = false;
    await transport.request(get);
    expect(server.connections()).toBe(before + 1);
  });
});

describe('a stream', () => {
  test('that nobody reads is not taken from the socket', async () => {
    let written = 0;
    let isFull = false;
    const { transport } = await bytesServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const fill = (): void => {
        while (socket.write(Buffer.alloc(65_536))) written += 65_536;
        isFull = true;
      };
      fill();
    });
    const stream = await transport.stream(get);
    await vi.waitUntil(() => isFull);
    let got = 0;
    const reading = stream.read((chunk) => {
      got += chunk.length;
      if (got >= written) stream.cancel();
    });
    await reading;
    expect(got).toBeGreaterThan(0);
  });

  test('that has ended before it is read delivers all, and gives its connection back', async () => {
    const { transport, sockets } = await bytesServer((socket) => socket.write(ok));
    const stream = await transport.stream(get);
    await transport.request(get);
    const chunks: string[] = [];
    await stream.read((chunk) => chunks.push(chunk.toString()));
    stream.cancel();
    expect(chunks).toEqual(['{}']);
    expect(sockets).toHaveLength(1);
    expect((await transport.request(get)).status).toBe(200);
    expect(sockets).toHaveLength(1);
  });
});

test('R27: close leaves nothing open', async () => {
  const { server, transport } = await serve('http1', (each) =>
    each.path === '/' ? each.reply(200, {}) : each.open(),
  );
  await Promise.all([transport.request(get), transport.request(get)]);
  const stream = await transport.stream({ ...get, path: '/watch' });
  const reading = thrown(stream.read(() => undefined));
  await transport.close();
  expect(await reading).toMatchObject({ code: 'kube/connection-closed' });
  await vi.waitUntil(() => server.open() === 0);
});
