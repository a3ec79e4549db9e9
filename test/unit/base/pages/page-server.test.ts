// Who is answered by a page's server, with which headers, and its event streams.
import { request } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { PageServer, type PageAction, type PageServerOptions } from '../../../../src/base/pages/index.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function open(
  answer: PageServerOptions['answer'],
  actions?: PageServerOptions['actions'],
): Promise<PageServer> {
  const server = await PageServer.open({ answer, ...(actions === undefined ? {} : { actions }) });
  ends.push(() => server.close());
  return server;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** `fetch` sets Host and Origin itself. */
function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  sentBody: readonly string[] = [],
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, method }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    sent.on('error', reject);
    for (const part of sentBody) sent.write(part);
    sent.end();
  });
}

const page: PageServerOptions['answer'] = ({ path, query }) =>
  path === 'missing' ? undefined : { type: 'text/html; charset=utf-8', body: `<p>${path}|${query.get('q')}` };

test('the page and what lies beside it are answered to whoever knows the address', async () => {
  const { url } = await open(page);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
  const answer = await ask(`${url}object?q=a%2Fb`);
  expect(answer).toMatchObject({ status: 200, body: '<p>object|a/b' });
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'"),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const { port } = new URL(url);
  expect((await ask(url, { host: `localhost:${port}`, origin: `http://localhost:${port}` })).status).toBe(
    200,
  );
  expect((await ask(url, { 'sec-fetch-site': 'none' })).status).toBe(200);
  expect(await ask(url, {}, 'HEAD')).toMatchObject({ status: 200, body: '' });
});

test.each([
  ['a wrong Host', (url: string) => ask(url, { host: 'evil.example' })],
  ['the right address under another port', (url: string) => ask(url, { host: '127.0.0.1:1' })],
  ['a foreign Origin', (url: string) => ask(url, { origin: 'https://evil.example' })],
  ['the Origin of a sandboxed frame', (url: string) => ask(url, { origin: 'null' })],
  ['a request that another site starts', (url: string) => ask(url, { 'sec-fetch-site': 'cross-site' })],
  ['no token', (url: string) => ask(new URL('/', url).href)],
  ['another token', (url: string) => ask(url.replace(/[\w-]{43}/, 'x'.repeat(43)))],
  ['the token without a slash', (url: string) => ask(url.slice(0, -1))],
  ['a method other than GET without a token', (url: string) => ask(new URL('/', url).href, {}, 'POST')],
])('%s is answered with 403 and nothing else', async (_name, asked) => {
  const answer = vi.fn(page);
  const { url } = await open(answer);
  expect(await asked(url)).toMatchObject({ status: 403, body: '403\n' });
  expect(answer).not.toHaveBeenCalled();
});

test('what does not exist is 404, a failure 500 without details, other methods 405', async () => {
  const { url } = await open((request) => {
    if (request.path === 'broken') throw new Error('secret');
    return page(request);
  });
  expect((await ask(`${url}missing`)).status).toBe(404);
  expect(await ask(`${url}broken`)).toMatchObject({ status: 500, body: '500\n' });
  const { origin } = new URL(url);
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect(await ask(url, { origin }, method)).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    });
});

const json = { 'content-type': 'application/json' };

async function openAction(act: PageAction = () => 204) {
  const action = vi.fn(act);
  const { url } = await open(page, new Map([['action', action]]));
  const { origin, port } = new URL(url);
  return { action, url, address: `${url}action`, origin, port };
}

test('an action runs for a POST request of the page', async () => {
  const { action, address, origin, port } = await openAction();
  const body = ['{"id":', '"a"}'];
  expect((await ask(address, { ...json, origin }, 'POST', body)).status).toBe(204);
  expect(action).toHaveBeenLastCalledWith({ id: 'a' });
  const local = { ...json, host: `localhost:${port}`, origin: `http://localhost:${port}` };
  const sent = {
    ...local,
    'content-type': 'application/json; charset=utf-8',
    'sec-fetch-site': 'same-origin',
  };
  expect((await ask(address, sent, 'POST', body)).status).toBe(204);
  expect(action).toHaveBeenCalledTimes(2);
});

test.each<readonly [string, number, (page: Awaited<ReturnType<typeof openAction>>) => Promise<Answer>]>([
  ['no Origin', 403, ({ address }) => ask(address, json, 'POST', ['{}'])],
  [
    'the Origin of another site',
    403,
    ({ address }) => ask(address, { ...json, origin: 'https://evil.example' }, 'POST', ['{}']),
  ],
  [
    'the Origin of a page on another port',
    403,
    ({ address }) => ask(address, { ...json, origin: 'http://127.0.0.1:1' }, 'POST', ['{}']),
  ],
  [
    'the Origin of a sandboxed frame',
    403,
    ({ address }) => ask(address, { ...json, origin: 'null' }, 'POST', ['{}']),
  ],
  [
    'another Host, with an Origin that fits it',
    403,
    ({ address }) =>
      ask(address, { ...json, host: 'evil.example', origin: 'http://evil.example' }, 'POST', ['{}']),
  ],
  [
    'the name of this machine with the Origin of its address',
    403,
    ({ address, origin, port }) =>
      ask(address, { ...json, host: `localhost:${port}`, origin }, 'POST', ['{}']),
  ],
  [
    'a form of the address bar',
    403,
    ({ address, origin }) => ask(address, { ...json, origin, 'sec-fetch-site': 'none' }, 'POST', ['{}']),
  ],
  [
    'a request that another site starts',
    403,
    ({ address, origin }) =>
      ask(address, { ...json, origin, 'sec-fetch-site': 'cross-site' }, 'POST', ['{}']),
  ],
  [
    'another token',
    403,
    ({ address, origin }) =>
      ask(address.replace(/[\w-]{43}/, 'x'.repeat(43)), { ...json, origin }, 'POST', ['{}']),
  ],
  ['a GET request', 405, ({ address, origin }) => ask(address, { origin })],
  ['a HEAD request', 405, ({ address }) => ask(address, {}, 'HEAD')],
  ['a form', 415, ({ address, origin }) => ask(address, { origin }, 'POST', ['a=b'])],
  [
    'text',
    415,
    ({ address, origin }) => ask(address, { origin, 'content-type': 'text/plain' }, 'POST', ['{}']),
  ],
  ['no JSON', 400, ({ address, origin }) => ask(address, { ...json, origin }, 'POST', ['{'])],
  ['JSON that is no object', 400, ({ address, origin }) => ask(address, { ...json, origin }, 'POST', ['[]'])],
  [
    'a body of a length that is too large',
    413,
    ({ address, origin }) =>
      ask(address, { ...json, origin, 'content-length': '4097' }, 'POST', [' '.repeat(4097)]),
  ],
  [
    'a body that grows too large',
    413,
    ({ address, origin }) => ask(address, { ...json, origin }, 'POST', [' '.repeat(4096), ' ']),
  ],
])('an action does not run for %s (%i)', async (_name, status, asked) => {
  const opened = await openAction();
  expect((await asked(opened)).status).toBe(status);
  expect(opened.action).not.toHaveBeenCalled();
});

test('an action that fails says nothing about it', async () => {
  const { address, origin } = await openAction(() => {
    throw new Error('secret');
  });
  expect(await ask(address, { ...json, origin }, 'POST', ['{}'])).toMatchObject({
    status: 500,
    body: '500\n',
  });
});

test('a stream delivers values one by one, and its end is known on both sides', async () => {
  const ended = vi.fn();
  let send: ((value: unknown) => void) | undefined;
  const server = await open(() => ({
    stream: (stream) => {
      send = (value) => stream.send(value);
      return ended;
    },
  }));
  const abort = new AbortController();
  const response = await fetch(`${server.url}stream`, { signal: abort.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  send?.({ text: 'two\nlines' });
  await vi.waitFor(() => expect(text).toBe('retry: 1000\n\ndata: {"text":"two\\nlines"}\n\n'));
  abort.abort();
  await reading;
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
});

test('closing a server ends its streams', async () => {
  const ended = vi.fn();
  const server = await open(() => ({ stream: () => ended }));
  const response = await fetch(`${server.url}stream`);
  await server.close();
  await response.text().catch(() => '');
  expect(ended).toHaveBeenCalledOnce();
});
