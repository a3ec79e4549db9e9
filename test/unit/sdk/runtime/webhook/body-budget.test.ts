// The memory that bodies may take together, and the end of a server that clients still ask.
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { defineWebhook } from '../../../../../src/index.ts';
import { eventually } from '../../../../../src/testing/index.ts';
import { Memcached, reviewOf } from './kinds.ts';
import { authority, post, serve } from './serving.ts';

const path = '/validate-cache-example-com-v1alpha1-memcached';
const allowing = defineWebhook(Memcached, { validate: { create: () => undefined } });
const slow = { timeout: 60_000 };
const kiB = 1024;

/** Begins a body of which the end does not come. */
function begin(port: number, bytes: number, headers: Record<string, string | number> = {}): ClientRequest {
  const sent = request({
    ...{ host: '127.0.0.1', port, path, method: 'POST', agent: false, ca: authority.certificate },
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.on('error', () => undefined);
  sent.write(Buffer.alloc(bytes, 32));
  return sent;
}
const answerTo = async (
  sent: ClientRequest,
): Promise<{ status?: number | undefined; retry?: string | undefined }> => {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return { status: response.statusCode, retry: response.headers['retry-after'] };
};

test('unfinished bodies share one budget: beyond it a request is answered 429, and nothing is held for it', async () => {
  await using server = await serve([allowing], { bodyBudget: 300 * kiB });
  const held = [1, 2, 3].map(() => begin(server.port, 90 * kiB));
  await eventually(() => expect(server.bodyBytes()).toBe(270 * kiB), slow);
  const refused = begin(server.port, 90 * kiB);
  expect(await answerTo(refused)).toEqual({ status: 429, retry: '1' });
  expect(server.bodyBytes()).toBeLessThanOrEqual(300 * kiB);
  // What fits is answered all the same.
  expect((await post(server.port, path, reviewOf())).status).toBe(200);
  for (const each of [...held, refused]) each.destroy();
  await eventually(() => expect(server.bodyBytes()).toBe(0), slow);
  expect((await post(server.port, path, reviewOf())).status).toBe(200);
  await eventually(() => expect(server.bodyBytes()).toBe(0), slow);
});

test('a length that is announced, a connection without a request and one without TLS cost no budget', async () => {
  await using server = await serve([allowing], { bodyBudget: 300 * kiB });
  const announced = Array.from({ length: 20 }, () =>
    begin(server.port, 1, { 'content-length': 6 * kiB * kiB }),
  );
  const silent = connectTls({
    host: '127.0.0.1',
    port: server.port,
    ca: authority.certificate,
    servername: 'localhost',
  });
  silent.on('error', () => undefined);
  await eventually(() => expect(server.bodyBytes()).toBe(20), slow);
  expect((await post(server.port, path, reviewOf())).status).toBe(200);
  for (const each of announced) each.destroy();
  silent.destroy();
  await eventually(() => expect(server.bodyBytes()).toBe(0), slow);
});

test('bodies that are too large, empty or no JSON give their memory back', async () => {
  await using server = await serve([allowing]);
  const large = Buffer.alloc(7 * kiB * kiB + 1, 32);
  for (const [body, status] of [
    [large, 413],
    ['', 400],
    ['{', 400],
  ] as const)
    expect((await post(server.port, path, body)).status).toBe(status);
  await eventually(() => expect(server.bodyBytes()).toBe(0), slow);
});

test('a server that is left answers on, and lets go of the connection with each answer', async () => {
  await using server = await serve([allowing]);
  server.leave();
  const { status, headers } = await post(server.port, path, reviewOf());
  expect([status, headers['connection']]).toEqual([200, 'close']);
});
