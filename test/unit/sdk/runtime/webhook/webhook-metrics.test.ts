import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  defineConversion,
  defineWebhook,
  metricsRegistry,
  type WebhookOptions,
} from '../../../../../src/index.ts';
import { registerCommonMetrics } from '../../../../../src/sdk/runtime/metrics/common-metrics.ts';
import { NginxV1, NginxV2 } from '../conversion/versions.ts';
import { Memcached, memcached, reviewOf, type Memcached as MemcachedObject } from './kinds.ts';
import { post, serve, type CertificateFolder } from './serving.ts';

const expiryOf = ({ folder }: CertificateFolder): number =>
  Date.parse(new X509Certificate(readFileSync(join(folder, 'tls.crt'))).validTo) / 1000;

describe('the metrics of webhooks', () => {
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
});
