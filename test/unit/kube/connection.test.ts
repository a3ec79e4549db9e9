import { afterEach, describe, expect, test } from 'vitest';
import {
  ApiError,
  createClient,
  isConflict,
  isExpired,
  isNotFound,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isTypeNotServed,
  isUnauthorized,
  openConnection,
  type Connection,
  type ConnectionOptions,
  type Credentials,
  type RequestObservation,
} from '../../../src/kube/index.ts';
import { list, status, Thing, thing, tooLarge } from './support/reflector-harness.ts';
import { scriptedServer, type Exchange, type ScriptedServer } from './support/scripted-server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(
  script: (exchange: Exchange) => void,
  options: ConnectionOptions = {},
  credentials?: Credentials,
): Promise<{
  server: ScriptedServer;
  connection: Connection;
  waits: number[];
  observed: RequestObservation[];
  warnings: string[];
}> {
  const server = await scriptedServer('http2', script, credentials === undefined ? {} : { credentials });
  const waits: number[] = [];
  const observed: RequestObservation[] = [];
  const warnings: string[] = [];
  const connection = openConnection(server.cluster, {
    protocol: 'http2',
    wait: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
    observe: (observation) => observed.push(observation),
    onWarning: (text) => warnings.push(text),
    ...options,
  });
  cleanups.push(() => server.close());
  cleanups.push(() => connection.close());
  return { server, connection, waits, observed, warnings };
}

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

  test('R19 renews its credentials once after a 401', async () => {
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

  test('R19 does not repeat a request when the credentials cannot change', async () => {
    const { server, connection } = await serve((each) => each.reply(401, status(401, 'Unauthorized')));
    await expect(connection.request(get)).rejects.toSatisfy(isUnauthorized);
    expect(server.requests).toHaveLength(1);
  });

  test.each([429, 503])('R25 waits as long as Retry-After of a %i says, also for writes', async (code) => {
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

  test('R25 gives up after ten tries', async () => {
    const { server, connection } = await serve((each) =>
      each.reply(429, status(429, 'TooManyRequests'), { 'retry-after': '1' }),
    );
    await expect(connection.request(get)).rejects.toSatisfy(isTooManyRequests);
    expect(server.requests).toHaveLength(10);
  });

  test('R25 does not wait without Retry-After, for a 504, or in a watch', async () => {
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

  test('R25 an abort ends the wait', async () => {
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

  test('R25 reports each warning once', async () => {
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

describe('errors of the API', () => {
  const target = { verb: 'create', resource: Thing, namespace: 'default', name: 'web' };

  test('tell verb, resource and name', () => {
    const error = ApiError.fromResponse(
      target,
      409,
      {},
      JSON.stringify(status(409, 'AlreadyExists', { message: 'it exists' })),
    );
    expect(error.message).toBe('create things.example.com default/web: it exists');
    expect(error).toMatchObject({ status: 409, reason: 'AlreadyExists', code: 'kube/already-exists' });
    expect(isConflict(error)).toBe(false);
    expect(error.findings[0].message).toBe(error.message);
  });

  test('tell a missing object from a missing type', () => {
    const missing = ApiError.fromResponse(target, 404, {}, JSON.stringify(status(404, 'NotFound')));
    const unserved = ApiError.fromResponse(target, 404, {}, '404 page not found\n');
    expect([isNotFound(missing), isTypeNotServed(missing)]).toEqual([true, false]);
    expect([isNotFound(unserved), isTypeNotServed(unserved)]).toEqual([false, true]);
  });

  test('tell what has expired by the status alone, and by the reason alone', () => {
    const expired = [
      new ApiError(target, 410, ''),
      new ApiError(target, 500, { kind: 'Status', reason: 'Expired' }),
      new ApiError(target, 500, { kind: 'Status', reason: 'Gone' }),
    ];
    expect(expired.map(isExpired)).toEqual([true, true, true]);
    expect(isExpired(new ApiError(target, 500, ''))).toBe(false);
  });

  test('take the delay from the header or the details', () => {
    const details = { details: { retryAfterSeconds: 4 } };
    expect(
      ApiError.fromResponse(target, 429, {}, JSON.stringify(status(429, 'TooManyRequests', details)))
        .retryAfter,
    ).toBe(4000);
    expect(ApiError.fromResponse(target, 429, { 'retry-after': '3' }, '').retryAfter).toBe(3000);
    expect(ApiError.fromResponse(target, 500, { 'retry-after': 'soon' }, '').retryAfter).toBeUndefined();
    // A timer takes NaN, and more than 2^31-1 milliseconds, for none at all.
    expect(ApiError.fromResponse(target, 429, { 'retry-after': '9999999999' }, '').retryAfter).toBe(300_000);
    const nonsense = { details: { retryAfterSeconds: 'soon' } };
    expect(
      ApiError.fromResponse(target, 429, {}, JSON.stringify(status(429, 'TooManyRequests', nonsense)))
        .retryAfter,
    ).toBeUndefined();
  });
});

describe('the client', () => {
  test('R4 lists page by page, and anew when the continue token expires', async () => {
    const { server, connection } = await serve((each) => {
      const { query } = each;
      if (query['continue'] === 'first')
        each.reply(200, list('5', [thing('b', '2')], { continue: 'second' }));
      else if (query['continue'] === 'second') each.reply(410, status(410, 'Expired'));
      else if (query['limit'] === '500') each.reply(200, list('5', [thing('a', '1')], { continue: 'first' }));
      else each.reply(200, list('9', [thing('a', '1'), thing('c', '8')]));
    });
    const client = createClient({ connection, fieldManager: 'test' });
    const things = await client.list(Thing, { labelSelector: 'a=b' });
    expect(things.items.map((item) => item.metadata.name)).toEqual(['a', 'c']);
    expect(things.metadata.resourceVersion).toBe('9');
    expect(server.requests.map(({ query }) => query)).toEqual([
      { labelSelector: 'a=b', limit: '500' },
      { labelSelector: 'a=b', limit: '500', continue: 'first' },
      { labelSelector: 'a=b', limit: '500', continue: 'second' },
      { labelSelector: 'a=b' },
    ]);
    expect(server.requests[0]?.headers['accept-encoding']).toBe('gzip');
  });

  test('sends nothing that would reach another object', async () => {
    const { server, connection } = await serve((each) => each.reply(200, {}));
    const client = createClient({ connection, fieldManager: 'test' });
    const refused = { code: 'kube/invalid-request' };
    await expect(client.delete(Thing, { name: '', namespace: 'default' })).rejects.toMatchObject(refused);
    await expect(client.get(Thing, { name: 'a' })).rejects.toMatchObject(refused);
    await expect(client.get(Thing, { name: '' })).rejects.toMatchObject({ findings: [{}, {}] });
    await expect(
      client.get({ ...Thing, namespaced: false }, { name: 'a', namespace: 'b' }),
    ).rejects.toMatchObject(refused);
    await expect(client.create(Thing, { ...thing('a', ''), kind: 'Other' })).rejects.toMatchObject(refused);
    expect(server.requests).toEqual([]);
    for (const name of ['.', '..', '../secrets/x', 'a%2fb']) {
      await expect(client.delete(Thing, { name, namespace: 'default' })).rejects.toMatchObject(refused);
      await expect(client.list(Thing, { namespace: name })).rejects.toMatchObject(refused);
      const metadata = { generateName: 'a', namespace: name };
      await expect(client.create(Thing, { metadata })).rejects.toMatchObject(refused);
    }
    expect(server.requests).toEqual([]);
    // RBAC objects have names like this one.
    await client.get(Thing, { name: 'system:x ü?', namespace: 'default' });
    expect(server.requests[0]?.path).toBe(
      '/apis/example.com/v1/namespaces/default/things/system%3Ax%20%C3%BC%3F',
    );
  });

  test('refuses to write integers that were rounded when they were read, and says which', async () => {
    const { server, connection, warnings } = await serve((each) => {
      const text = JSON.stringify(thing('a', '1', {})).replace(
        '"data":{}',
        '"data":{"big":9007199254740993,"text":"9007199254740993"}',
      );
      each.reply(200, text);
    });
    const client = createClient({ connection, fieldManager: 'test' });
    const object = await client.get(Thing, { name: 'a', namespace: 'default' });
    expect(warnings).toEqual([
      expect.stringMatching(
        /^things\.example\.com \.data\.big: an integer beyond 2\^53-1 was read and rounded/,
      ),
    ]);
    const copy = structuredClone(object);
    await expect(client.update(Thing, copy)).rejects.toMatchObject({
      code: 'kube/unsafe-integer',
      findings: [{ where: { object: 'Thing default/a', path: '.data.big' } }],
    });
    await expect(client.updateStatus(Thing, copy)).rejects.toMatchObject({ code: 'kube/unsafe-integer' });
    expect(server.requests).toHaveLength(1);
    await client.patch(
      Thing,
      { name: 'a', namespace: 'default' },
      { type: 'merge', body: { data: { other: 'x' } } },
    );
    await client.apply(Thing, { metadata: { name: 'a', namespace: 'default' }, data: { other: 'x' } });
    expect(server.requests).toHaveLength(3);
    await client.raw.request({
      method: 'PUT',
      path: '/exact',
      body: '{"big":9007199254740993}',
      contentType: 'application/json',
    });
    expect(server.requests[3]?.body).toBe('{"big":9007199254740993}');
  });

  test('says who writes, strictly', async () => {
    const { server, connection } = await serve((each) => each.reply(200, {}));
    const client = createClient({ connection, fieldManager: 'project/controller' });
    await client.apply(Thing, { metadata: { name: 'a', namespace: 'default' } });
    await client.create(
      Thing,
      { metadata: { name: 'a', namespace: 'default' } },
      { dryRun: true, fieldValidation: 'Ignore', fieldManager: 'me' },
    );
    expect(server.requests[0]?.query).toEqual({
      fieldManager: 'project/controller',
      fieldValidation: 'Strict',
      force: 'true',
    });
    expect(server.requests[0]?.headers['content-type']).toBe('application/apply-patch+yaml');
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a', namespace: 'default' },
    });
    expect(server.requests[1]?.query).toEqual({
      fieldManager: 'me',
      fieldValidation: 'Ignore',
      dryRun: 'All',
    });
  });
});
