import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import {
  defineConversion,
  defineWebhook,
  type HubConversion,
  type AdmissionContext,
} from '../../../../../src/index.ts';
import { httpsGet } from '../../../../helpers/https-get.ts';
import { Memcached, reviewOf } from './kinds.ts';
import { issue, post, serve } from './serving.ts';

const path = '/validate-cache-example-com-v1alpha1-memcached';
const validating = (create: (object: unknown, context: AdmissionContext) => undefined | Promise<undefined>) =>
  defineWebhook(Memcached, { validate: { create } });
const allowing = validating(() => undefined);
const limit = 7 * 1024 * 1024;

/** A promise and what resolves it. */
function latch(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('the server for webhooks', () => {
  test('answers at the path of a webhook, over a connection that is kept', async () => {
    await using server = await serve([allowing]);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 3; i++) {
      const { status, json, headers } = await post(server.port, `${path}?timeout=10s`, reviewOf(), { agent });
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('application/json');
      expect(json).toEqual({
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: 'abc', allowed: true, status: { code: 200 } },
      });
    }
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    agent.destroy();
  });

  test('serves several webhooks, each at its own paths', async () => {
    const other = defineWebhook(Memcached, {
      default: (object) => void (object.spec.size = 7),
      validate: {
        create: () => {
          throw new Error('never');
        },
      },
      validation: { path: '/strict' },
    });
    await using server = await serve([allowing, other]);
    const mutated = await post(server.port, '/mutate-cache-example-com-v1alpha1-memcached', reviewOf());
    expect(mutated.json.response).toMatchObject({ allowed: true, patchType: 'JSONPatch' });
    expect((await post(server.port, path, reviewOf())).json.response?.allowed).toBe(true);
    expect((await post(server.port, '/strict', reviewOf())).json.response).toMatchObject({
      allowed: false,
      status: { code: 403, message: 'never' },
    });
  });

  test('refuses a path that is there twice, all at once', async () => {
    const again = defineWebhook(Memcached, {
      default: () => undefined,
      validate: { create: () => undefined },
      defaulting: { path: '/x' },
    });
    const third = defineWebhook(Memcached, { default: () => undefined, defaulting: { path: '/x' } });
    const conversion = defineConversion(Memcached) as unknown as HubConversion;
    await expect(serve([allowing, again, third, conversion, conversion])).rejects.toMatchObject({
      findings: [
        {
          code: 'runtime/duplicate-webhook',
          message: expect.stringContaining(`two webhooks have the same path ${path}`),
        },
        {
          code: 'runtime/duplicate-webhook',
          message: expect.stringContaining('two webhooks have the same path /x'),
        },
        {
          code: 'runtime/duplicate-webhook',
          message: expect.stringContaining('conversion of Memcached.cache.example.com twice'),
        },
      ],
    });
  });

  test('answers only POST, only at its paths', async () => {
    await using server = await serve([allowing]);
    expect((await post(server.port, '/other', reviewOf())).status).toBe(404);
    expect((await post(server.port, '/convert', {})).status).toBe(404);
    expect((await post(server.port, `${path}/`, reviewOf())).status).toBe(404);
    expect((await httpsGet(server.port, path)).status).toBe(405);
  });

  test.each([
    ['an empty body', '', {}, 400, 'the body is empty'],
    ['another content type', reviewOf(), { 'content-type': 'text/plain' }, 400, 'content-type: expected'],
    ['a body that is not JSON', '{"a":', {}, 400, 'the body is not JSON'],
    ['JSON that is not a review', '[]', {}, 400, 'body: expected an AdmissionReview'],
    ['a compressed body', Buffer.from('1f8b', 'hex'), { 'content-encoding': 'gzip' }, 400, 'not JSON'],
    ['a body beyond the limit', Buffer.alloc(limit + 1, 32), {}, 413, 'larger than 7340032 bytes'],
  ])('refuses %s', async (_name, body, headers, code, message) => {
    await using server = await serve([allowing]);
    const answer = await post(server.port, path, body, { headers });
    expect(answer.status).toBe(code);
    expect(answer.json).toMatchObject({
      kind: 'AdmissionReview',
      response: { uid: '', allowed: false, status: { code, message: expect.stringContaining(message) } },
    });
    // The server is as before.
    expect((await post(server.port, path, reviewOf())).status).toBe(200);
  });

  test('takes a body up to the limit', async () => {
    await using server = await serve([allowing]);
    const review = JSON.stringify(reviewOf());
    const body = Buffer.concat([Buffer.from(review), Buffer.alloc(limit - review.length, 32)]);
    expect((await post(server.port, path, body)).status).toBe(200);
  });

  test('answers a body without an end at the limit, and cuts it off', async () => {
    await using server = await serve([allowing]);
    const sent = request({
      ...{ host: '127.0.0.1', port: server.port, path, method: 'POST' },
      ...{ rejectUnauthorized: false, agent: false, headers: { 'content-type': 'application/json' } },
    });
    const closed = new Promise<void>((resolve) => sent.once('close', () => resolve()));
    sent.on('error', () => undefined);
    const answered = once(sent, 'response');
    const chunk = Buffer.alloc(1024 * 1024, 32);
    const write = (): void => void (sent.destroyed || sent.write(chunk, () => setImmediate(write)));
    write();
    const [response] = (await answered) as [{ statusCode: number }];
    expect(response.statusCode).toBe(413);
    await closed;
    expect((await post(server.port, path, reviewOf())).status).toBe(200);
  });

  test('ends the work of a request that nobody waits for any more', async () => {
    const reasons: unknown[] = [];
    const began = latch();
    const ended = latch();
    const waiting = validating(async (_, { signal, client }) => {
      expect((client as unknown as { signal: AbortSignal }).signal).toBe(signal);
      began.open();
      await once(signal, 'abort');
      reasons.push(String(signal.reason));
      ended.open();
      return undefined;
    });
    await using server = await serve([waiting]);
    const sent = request({
      ...{ host: '127.0.0.1', port: server.port, path, method: 'POST' },
      ...{ rejectUnauthorized: false, agent: false, headers: { 'content-type': 'application/json' } },
    });
    sent.on('error', () => undefined);
    sent.end(JSON.stringify(reviewOf()));
    await began.opened;
    sent.destroy();
    await ended.opened;
    expect(reasons).toEqual(['Error: the API server has closed the connection']);
    await expect
      .poll(() => server.lines)
      .toContainEqual(
        expect.objectContaining({ level: 'warn', msg: expect.stringContaining('not answered') }),
      );
  });

  test('gives a request the time that the API server waits', async () => {
    const timely = validating(async (_, { signal }) => {
      await once(signal, 'abort');
      throw signal.reason;
    });
    await using server = await serve([timely]);
    const { json } = await post(server.port, `${path}?timeout=1s`, reviewOf());
    expect(json.response).toMatchObject({
      allowed: false,
      status: { code: 403, message: 'the API server waits no longer than 1 s' },
    });
  });

  test('closes when running requests are answered, and takes no new ones meanwhile', async () => {
    const began = latch();
    const go = latch();
    const slow = validating(async () => {
      began.open();
      await go.opened;
      return undefined;
    });
    const server = await serve([slow]);
    const agent = new Agent({ keepAlive: true });
    const running = post(server.port, path, reviewOf(), { agent });
    await began.opened;
    const closed = server.close();
    await expect(post(server.port, path, reviewOf())).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    go.open();
    const { status, headers } = await running;
    expect(status).toBe(200);
    expect(headers['connection']).toBe('close');
    await closed;
    agent.destroy();
    server.files[Symbol.dispose]();
  });

  test('waits no longer than the grace period for requests that do not end', async () => {
    const began = latch();
    const stuck = validating(async () => {
      began.open();
      await new Promise(() => undefined);
      return undefined;
    });
    const server = await serve([stuck], { gracePeriod: 10 });
    const running = post(server.port, path, reviewOf());
    running.catch(() => undefined);
    await began.opened;
    await server.close();
    await expect(running).rejects.toThrow(/socket hang up|ECONNRESET/);
    server.files[Symbol.dispose]();
  });

  test('speaks TLS 1.2 and newer, HTTP/2 only if that is switched on', async () => {
    for (const [http2, protocol] of [
      [false, 'http/1.1'],
      [true, 'h2'],
    ] as const) {
      await using server = await serve([allowing], { http2 });
      const dial = async (options: object): Promise<TLSSocket> => {
        const socket = connectTls({
          ...{ host: '127.0.0.1', port: server.port, rejectUnauthorized: false },
          ...{ ALPNProtocols: ['h2', 'http/1.1'], ...options },
        });
        await once(socket, 'secureConnect');
        return socket;
      };
      const socket = await dial({ maxVersion: 'TLSv1.2' });
      expect([socket.alpnProtocol, socket.getProtocol()]).toEqual([protocol, 'TLSv1.2']);
      socket.destroy();
      const old = dial({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' });
      await expect(old).rejects.toThrow(/alert|protocol|EPROTO|ECONNRESET/i);
      if (!http2) continue;
      const session = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
      const stream = session.request({
        ...{ ':path': path, ':method': 'POST', 'content-type': 'application/json' },
      });
      stream.end(JSON.stringify(reviewOf()));
      expect(JSON.parse(await text(stream))).toMatchObject({ response: { allowed: true } });
      session.close();
    }
  });

  test('renews its certificate while it runs', async () => {
    await using server = await serve([allowing]);
    const next = issue();
    server.files.write(next);
    const raw = new X509Certificate(next.certificate).raw;
    await expect.poll(async () => (await httpsGet(server.port, '/')).certificate.equals(raw)).toBe(true);
  });

  test('does not listen on an invalid port', async () => {
    await expect(serve([allowing], { port: 70_000 })).rejects.toThrow(/runtime\/invalid-manager.*70000/);
  });
});
