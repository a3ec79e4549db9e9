import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import {
  defineConversion,
  defineWebhook,
  metricsRegistry,
  type HubConversion,
  type AdmissionContext,
  type WebhookOptions,
} from '../../../../../src/index.ts';
import { registerCommonMetrics } from '../../../../../src/sdk/runtime/metrics/common-metrics.ts';
import { webhookCertificate } from '../../../../../src/sdk/runtime/webhook/server/read-body.ts';
import { httpsGet } from '../../../../helpers/https-get.ts';
import { NginxV1, NginxV2 } from '../conversion/versions.ts';
import { memoryLog } from '../memory-log.ts';
import { Memcached, memcached, reviewOf, type Memcached as MemcachedObject } from './kinds.ts';
import { CertificateFolder, issue, post, serve } from './serving.ts';

const path = '/validate-cache-example-com-v1alpha1-memcached';
const validating = (create: (object: unknown, context: AdmissionContext) => undefined | Promise<undefined>) =>
  defineWebhook(Memcached, { validate: { create } });
const allowing = validating(() => undefined);
const limit = 7 * 1024 * 1024;

const expiryOf = ({ folder }: CertificateFolder): number =>
  Date.parse(new X509Certificate(readFileSync(join(folder, 'tls.crt'))).validTo) / 1000;

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

  test('counts and times requests by path, and mistakes', async () => {
    registerCommonMetrics();
    const options: WebhookOptions<MemcachedObject> = {
      validate: {
        create: () => {
          throw new TypeError('a mistake');
        },
      },
      validation: { path: '/measured' },
    };
    const panics = async (): Promise<number> =>
      (await metricsRegistry.getSingleMetric('controller_runtime_webhook_panics_total')?.get())?.values[0]
        ?.value ?? 0;
    const before = await panics();
    await using server = await serve([defineWebhook(Memcached, options)]);
    const first = await metricsRegistry.metrics();
    for (const line of [
      'controller_runtime_webhook_requests_total{webhook="/measured",code="500"} 0',
      'opsdk_webhook_denials_total{webhook="/measured"} 0',
      `opsdk_certificate_expiration_timestamp_seconds{server="webhook"} ${expiryOf(server.files)}`,
    ])
      expect(first).toContain(`${line}\n`);
    await post(server.port, '/measured', reviewOf());
    await post(server.port, '/measured', 'x');
    const measured = await metricsRegistry.metrics();
    for (const line of [
      'controller_runtime_webhook_requests_total{webhook="/measured",code="200"} 1',
      'controller_runtime_webhook_requests_total{webhook="/measured",code="400"} 1',
      'controller_runtime_webhook_requests_in_flight{webhook="/measured"} 0',
      // What is not a review is refused, not denied.
      'opsdk_webhook_denials_total{webhook="/measured"} 1',
      'controller_runtime_webhook_latency_seconds_count{webhook="/measured"} 2',
      'controller_runtime_webhook_latency_seconds_bucket{le="1e-8",webhook="/measured"} 0',
      'controller_runtime_webhook_latency_seconds_bucket{le="1000",webhook="/measured"} 2',
    ])
      expect(measured).toContain(`${line}\n`);
    expect(await panics()).toBe(before + 1);
  });

  test('counts the reviews that it denies, not those that it allows', async () => {
    registerCommonMetrics();
    const webhook = defineWebhook(Memcached, {
      default: () => undefined,
      defaulting: { path: '/defaulting' },
      validate: {
        create: ({ spec }) => (spec.size === 1 ? [{ path: '.spec.size', message: 'too small' }] : undefined),
        delete: () => {
          throw new Error('never');
        },
      },
      validation: { path: '/denying' },
    });
    const denials = async (): Promise<readonly unknown[]> => {
      const { values = [] } =
        (await metricsRegistry.getSingleMetric('opsdk_webhook_denials_total')?.get()) ?? {};
      return ['/defaulting', '/denying'].map(
        (door) => values.find(({ labels }) => labels['webhook'] === door)?.value,
      );
    };
    await using server = await serve([webhook]);
    const ask = async (at: string, ...given: Parameters<typeof reviewOf>) =>
      (await post(server.port, at, reviewOf(...given))).json.response?.allowed;
    expect(await denials()).toEqual([0, 0]);
    expect(await ask('/defaulting')).toBe(true);
    expect(await ask('/denying')).toBe(true);
    expect(await denials()).toEqual([0, 0]);
    expect(await ask('/denying', { object: memcached({ size: 1 }) })).toBe(false);
    expect(await ask('/denying', { operation: 'DELETE' })).toBe(false);
    expect(await denials()).toEqual([0, 2]);
  });

  test('counts mistakes in conversions apart from those in webhooks, and logs each failure', async () => {
    registerCommonMetrics();
    const countsOf = async (): Promise<readonly (number | undefined)[]> =>
      Promise.all(
        ['webhook', 'conversion_webhook'].map(async (name) => {
          const metric = metricsRegistry.getSingleMetric(`controller_runtime_${name}_panics_total`);
          return (await metric?.get())?.values[0]?.value;
        }),
      );
    const [webhooks = -1, conversions = -1] = await countsOf();
    const conversion = defineConversion(NginxV2).spoke(NginxV1, {
      to: ({ spec: { port = 0 } }) => {
        if (port === 1) throw new TypeError('a mistake');
        throw new Error('a refusal');
      },
      from: () => ({
        spec: { port: undefined, replicas: undefined, template: undefined },
        status: undefined,
      }),
    });
    await using server = await serve([conversion]);
    const convert = (port: number) => {
      const object = {
        apiVersion: NginxV1.apiVersion,
        kind: 'Nginx',
        metadata: { name: 'a' },
        spec: { port },
      };
      return post(server.port, '/convert', {
        ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' },
        request: { uid: 'u', desiredAPIVersion: NginxV2.apiVersion, objects: [object] },
      });
    };
    const failed = (message: string) => ({
      status: 200,
      json: { response: { uid: 'u', convertedObjects: [], result: { status: 'Failure', message } } },
    });
    expect(await convert(1)).toMatchObject(failed('Nginx a: to() of v1alpha1: a mistake'));
    expect(await countsOf()).toEqual([webhooks, conversions + 1]);
    expect(await convert(2)).toMatchObject(failed('Nginx a: to() of v1alpha1: a refusal'));
    expect(await countsOf()).toEqual([webhooks, conversions + 1]);
    expect(server.lines.filter(({ level }) => level === 'error').map(({ msg }) => msg)).toEqual([
      'Conversion failed',
      'Conversion failed',
    ]);
    expect(await metricsRegistry.metrics()).toContain(
      'controller_runtime_webhook_requests_total{webhook="/convert",code="200"}',
    );
  });

  test('does not listen on an invalid port', async () => {
    await expect(serve([allowing], { port: 70_000 })).rejects.toThrow(/runtime\/invalid-manager.*70000/);
  });
});

describe('the certificate of webhooks', () => {
  const onChange = () => undefined;
  const { log } = memoryLog();

  test('is that of the named files, then the mounted one', async () => {
    using named = new CertificateFolder();
    using mounted = new CertificateFolder();
    const pairOf = async (files: { folder: string } | undefined): Promise<string> => {
      const source = await webhookCertificate({ files, log, onChange, mounted: mounted.folder });
      await source.stop();
      return source.pair.certificate;
    };
    expect(await pairOf({ folder: named.folder })).not.toBe(await pairOf(undefined));
    expect(await pairOf(undefined)).toBe(await pairOf({ folder: mounted.folder }));
  });

  test('is asked for, with the ways to give it, if there is none', async () => {
    const source = webhookCertificate({ files: undefined, log, onChange, mounted: '/nowhere' });
    await expect(source).rejects.toMatchObject({
      findings: [
        {
          code: 'runtime/webhook-certificate-missing',
          fix: [
            expect.stringContaining('--webhook-cert-path'),
            expect.stringContaining('op-sdk run'),
            expect.stringContaining('ENABLE_WEBHOOKS=false'),
          ],
        },
      ],
    });
  });
});
