import { afterEach, describe, expect, test } from 'vitest';
import {
  ApiError,
  createClient,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  noCredentials,
  openConnection,
  type HeaderValues,
  type TlsMaterial,
} from '../../../../../src/sdk/kube/index.ts';
import { status, Thing, tooLarge } from '../support/reflector-harness.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { cleanups, closeAll, serve } from '../support/open-connection.ts';

afterEach(closeAll);

const get = { target: { verb: 'get' }, method: 'GET', path: '/x' };

describe('a connection', () => {
  test('sends who it is', async () => {
    const credentials = {
      headers: () => Promise.resolve({ authorization: 'Bearer t', 'impersonate-group': ['a', 'b'] }),
      refresh: () => false,
    };
    const { server, connection } = await serve(
      (each) => each.reply(200, {}),
      { userAgent: 'memcached/1' },
      credentials,
    );
    await connection.request({ ...get, query: { a: 1, b: undefined, c: '' } });
    expect(server.requests[0]?.query).toEqual({ a: '1', c: '' });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer t',
      'impersonate-group': 'a, b',
      'user-agent': 'memcached/1',
      accept: 'application/json',
    });
  });

  test('R19: renews its credentials once after a 401', async () => {
    let token = 'old';
    let refreshes = 0;
    const credentials = {
      headers: () => Promise.resolve({ authorization: token }),
      refresh: () => {
        refreshes += 1;
        token = 'new';
        return true;
      },
    };
    const { connection } = await serve(
      (each) => {
        if (each.headers['authorization'] === 'new' && each.path !== '/never') each.reply(200, {});
        else each.reply(401, status(401, 'Unauthorized'));
      },
      {},
      credentials,
    );
    expect((await connection.request(get)).status).toBe(200);
    token = 'old';
    const stream = await connection.stream(get);
    stream.cancel();
    expect(refreshes).toBe(2);
    const never = connection.request({ ...get, path: '/never' });
    await expect(never).rejects.toSatisfy(isUnauthorized);
    expect(refreshes).toBe(3);
  });

  test('R19: does not repeat a request when the credentials cannot change', async () => {
    const { server, connection } = await serve((each) => each.reply(401, status(401, 'Unauthorized')));
    await expect(connection.request(get)).rejects.toSatisfy(isUnauthorized);
    expect(server.requests).toHaveLength(1);
  });

  test.each(['auto', 'http2'] as const)(
    'R20: after a 401 a certificate that has changed is used at once, and one that has not changes nothing (%s)',
    async (protocol) => {
      const server = await scriptedServer(
        protocol === 'http2' ? 'http2' : 'http1',
        (each) => {
          if (each.index === 2 || each.path === '/never') each.reply(401, status(401, 'Unauthorized'));
          else each.reply(200, {});
        },
        { credentials: noCredentials },
      );
      let renewed = '';
      const tls = async (): Promise<TlsMaterial> => ({ ca: `${(await server.cluster.tls()).ca}${renewed}` });
      const connection = openConnection({ ...server.cluster, tls }, { protocol });
      cleanups.push(
        () => server.close(),
        () => connection.close(),
      );
      await connection.request(get);
      await connection.request(get);
      expect(server.connections()).toBe(1);
      renewed = '\n';
      expect((await connection.request(get)).status).toBe(200);
      expect(server.requests).toHaveLength(4);
      expect(server.connections()).toBe(2);
      await expect(connection.request({ ...get, path: '/never' })).rejects.toSatisfy(isUnauthorized);
      expect(server.requests).toHaveLength(5);
    },
  );

  test('sends other headers when the credentials have changed, and those of a call only with it', async () => {
    let headers: HeaderValues = { authorization: 'Bearer a' };
    const credentials = { headers: () => Promise.resolve(headers), refresh: () => false };
    const { server, connection } = await serve((each) => each.reply(200, {}), {}, credentials);
    await connection.request(get);
    await connection.request({ ...get, headers: { accept: 'text/plain' } });
    await connection.request({
      ...get,
      method: 'PATCH',
      body: {},
      contentType: 'application/merge-patch+json',
    });
    headers = { authorization: 'Bearer b' };
    await connection.request(get);
    const seen = server.requests.map(({ headers: each }) => [
      each['authorization'],
      each['accept'],
      each['content-type'],
    ]);
    expect(seen).toEqual([
      ['Bearer a', 'application/json', undefined],
      ['Bearer a', 'text/plain', undefined],
      ['Bearer a', 'application/json', 'application/merge-patch+json'],
      ['Bearer b', 'application/json', undefined],
    ]);
  });

  test.each([429, 503])('R25: waits as long as Retry-After of a %i says, also for writes', async (code) => {
    const { connection, waits, observed } = await serve((each) => {
      if (each.index < 2)
        each.reply(code, status(code, 'TooManyRequests'), { 'retry-after': String(each.index + 2) });
      else each.reply(200, {});
    });
    await connection.request({ ...get, method: 'POST', body: {} });
    expect(waits).toEqual([2000, 3000]);
    expect(observed.map(({ code: seen, attempt }) => [seen, attempt])).toEqual([
      [String(code), 1],
      [String(code), 2],
      ['200', 3],
    ]);
  });

  test('asks the caller before each try is sent, and once more when the bytes are handed over', async () => {
    let isAllowed = true;
    const { server, connection } = await serve((each) => {
      isAllowed = false;
      each.reply(429, status(429, 'TooManyRequests'), { 'retry-after': '1' });
    });
    const beforeSend = (): void => {
      if (!isAllowed) throw new Error('not any more');
    };
    const write = { ...get, method: 'POST', body: {}, beforeSend };
    await expect(connection.request(write)).rejects.toThrow('not any more');
    expect(server.requests).toHaveLength(1);
    await expect(connection.request(write)).rejects.toThrow('not any more');
    expect(server.requests).toHaveLength(1);
  });

  test('R25: gives up after ten tries', async () => {
    const { server, connection } = await serve((each) =>
      each.reply(429, status(429, 'TooManyRequests'), { 'retry-after': '1' }),
    );
    await expect(connection.request(get)).rejects.toSatisfy(isTooManyRequests);
    expect(server.requests).toHaveLength(10);
  });

  test('R25: does not wait without Retry-After, for a 504, or in a watch', async () => {
    const { server, connection, waits } = await serve((each) => {
      if (each.path === '/plain') each.reply(503, 'overloaded');
      else if (each.path === '/large') each.reply(504, tooLarge, { 'retry-after': '1' });
      else each.reply(429, status(429, 'TooManyRequests'), { 'retry-after': '5' });
    });
    await expect(connection.request({ ...get, path: '/plain' })).rejects.toThrow(
      'get: HTTP status 503: overloaded',
    );
    await expect(connection.request({ ...get, path: '/large' })).rejects.toSatisfy(isTooLargeResourceVersion);
    await expect(connection.stream(get)).rejects.toMatchObject({ status: 429, retryAfter: 5000 });
    expect(waits).toEqual([]);
    expect(server.requests).toHaveLength(3);
  });

  test('follows no redirect, and takes none for success', async () => {
    const { server, connection } = await serve((each) =>
      each.reply(302, '<a>log in</a>', { location: 'https://login.example/?to=secret' }),
    );
    const client = createClient({ connection, fieldManager: 'test' });
    const gone = client.delete(Thing, { name: 'a', namespace: 'default' });
    await expect(gone).rejects.toMatchObject({ status: 302, code: 'kube/api-error' });
    await expect(gone).rejects.toThrow(/a: HTTP status 302: a redirect, which is not followed$/);
    await expect(connection.stream(get)).rejects.toBeInstanceOf(ApiError);
    expect(server.requests).toHaveLength(2);
  });

  test('gives up a stream that does not begin, and an error whose text does not end', async () => {
    const { connection } = await serve(
      (each) => {
        if (each.path === '/never') return;
        if (each.path === '/first') return each.reply(200, {});
        each.open(500);
        each.write('so far');
      },
      { requestTimeout: 50 },
    );
    // Connecting is no part of it: on a busy machine it may take longer than the timeout.
    await connection.request({ ...get, path: '/first', timeout: 30_000 });
    await expect(connection.stream({ ...get, path: '/never' })).rejects.toMatchObject({
      code: 'kube/timeout',
    });
    await expect(connection.stream(get)).rejects.toThrow('HTTP status 500: so far');
  });

  test('R25: an abort ends the wait', async () => {
    const abort = new AbortController();
    const server = await scriptedServer('http2', (each) => {
      each.reply(429, status(429, 'TooManyRequests'), { 'retry-after': '600' });
      setTimeout(() => abort.abort(new Error('enough')), 10);
    });
    const connection = openConnection(server.cluster, { protocol: 'http2' });
    cleanups.push(
      () => server.close(),
      () => connection.close(),
    );
    await expect(connection.request({ ...get, signal: abort.signal })).rejects.toThrow('enough');
  });

  test('R25: reports each warning once', async () => {
    const { connection, warnings } = await serve((each) =>
      each.reply(
        200,
        {},
        { warning: '299 - "v1beta1 is \\"old\\", use v1", 299 - "unknown field \\"spec.x\\""' },
      ),
    );
    await connection.request(get);
    await connection.request(get);
    expect(warnings).toEqual(['v1beta1 is "old", use v1', 'unknown field "spec.x"']);
  });

  test('repeats a read once whose connection broke, but no write', async () => {
    const { server, connection, observed } = await serve((each) =>
      each.index % 2 === 0 ? each.reset() : each.reply(200, {}),
    );
    await connection.request(get);
    await expect(connection.request({ ...get, method: 'POST' })).rejects.toMatchObject({
      code: 'kube/connection-lost',
    });
    expect(server.requests).toHaveLength(3);
    expect(observed.map(({ code }) => code)).toEqual(['<error>', '200', '<error>']);
  });

  test('observes sizes and who was asked for what', async () => {
    const { server, connection, observed } = await serve((each) => each.reply(201, { ok: true }));
    await connection.request({ ...get, method: 'POST', body: { a: 1 } });
    const [observation] = observed;
    expect(observation).toMatchObject({
      method: 'POST',
      code: '201',
      requestBytes: 7,
      responseBytes: 11,
      host: server.cluster.server.host,
    });
    expect(observation?.seconds).toBeGreaterThan(0);
  });

  test('says when the answer is not JSON', async () => {
    const { connection } = await serve((each) => each.reply(200, '<html>'));
    const response = await connection.request({
      ...get,
      target: { verb: 'get', resource: Thing, name: 'a', namespace: 'default' },
    });
    expect(() => response.json()).toThrow('get things.example.com default/a: the answer is not JSON');
  });
});

describe.each(['http1', 'http2'] as const)(
  'a connection that breaks before an answer, over %s',
  (protocol) => {
    const apply = { method: 'PATCH', contentType: 'application/apply-patch+yaml', body: { a: 1 } };
    test.each([
      ['a read', 2, { method: 'GET' }],
      ['a forced apply', 2, { ...apply, query: { force: true } }],
      ['an apply that is not forced', 1, { ...apply, query: { force: false } }],
      ['a create', 1, { method: 'POST', body: { metadata: { generateName: 'x-' } } }],
      ['an update', 1, { method: 'PUT', body: { a: 1 } }],
      ['a JSON patch', 1, { method: 'PATCH', contentType: 'application/json-patch+json', body: [] }],
      ['a merge patch', 1, { method: 'PATCH', contentType: 'application/merge-patch+json', body: {} }],
      ['a delete', 1, { method: 'DELETE' }],
    ])('%s is sent %s times', async (_what, times, call) => {
      const server = await scriptedServer(protocol, (each) =>
        each.path === '/warm' || each.index > 1 ? each.reply(200, {}) : each.reset(),
      );
      cleanups.push(() => server.close());
      const connection = openConnection(server.cluster, { protocol });
      cleanups.push(() => connection.close());
      await connection.request({ target: { verb: 'get' }, method: 'GET', path: '/warm' });
      const outcome = await connection.request({ target: { verb: 'x' }, path: '/y', ...call }).then(
        () => 'answered',
        (error: { code?: string }) => error.code,
      );
      expect(outcome).toBe(times === 2 ? 'answered' : 'kube/connection-lost');
      expect(server.requests.filter(({ path }) => path === '/y')).toHaveLength(times);
    });
  },
);
