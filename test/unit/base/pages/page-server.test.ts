// Who is answered by a page's server, with which headers, and its event streams.
import { request } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { PageServer, type PageServerOptions } from '../../../../src/base/pages/index.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function open(answer: PageServerOptions['answer']): Promise<PageServer> {
  const server = await PageServer.open({ answer });
  ends.push(() => server.close());
  return server;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** `fetch` sets Host and Origin itself. */
function ask(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, method }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    sent.on('error', reject);
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
  expect((await ask(url, {}, 'POST')).status).toBe(405);
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
