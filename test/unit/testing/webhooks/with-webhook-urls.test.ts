import { expect, test } from 'vitest';
import {
  asksService,
  conversionUrl,
  withWebhookUrls,
} from '../../../../src/testing/webhooks/with-webhook-urls.ts';

const server = { host: '127.0.0.1', port: 1234, caCertificate: 'PEM' };
const caBundle = Buffer.from('PEM').toString('base64');

const service = (path?: string) => ({
  service: { name: 'webhook-service', namespace: 'system', ...(path === undefined ? {} : { path }) },
});

function configuration(kind: string, ...clientConfigs: readonly object[]) {
  const webhooks = clientConfigs.map((clientConfig, index) => ({
    name: `w${index}.example.com`,
    failurePolicy: 'Fail',
    clientConfig,
  }));
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'c' }, webhooks };
}

function definition(conversion?: object) {
  const spec = { group: 'example.com', ...(conversion === undefined ? {} : { conversion }) };
  return { kind: 'CustomResourceDefinition', metadata: { name: 'a.example.com' }, spec };
}

test.each(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'])(
  'a %s asks the URL of the server in place of each Service, and trusts its authority',
  (kind) => {
    const before = configuration(kind, service('/mutate-v1'), { ...service('/b'), caBundle: 'old' });
    expect(withWebhookUrls(before, server)).toEqual(
      configuration(
        kind,
        { url: 'https://127.0.0.1:1234/mutate-v1', caBundle },
        { url: 'https://127.0.0.1:1234/b', caBundle },
      ),
    );
  },
);

test('a Service without a path is asked for /', () => {
  const [webhook] = withWebhookUrls(
    configuration('MutatingWebhookConfiguration', service()),
    server,
  ).webhooks;
  expect(webhook?.clientConfig).toEqual({ url: 'https://127.0.0.1:1234/', caBundle });
});

test('an IPv6 address is put into brackets', () => {
  const [webhook] = withWebhookUrls(configuration('MutatingWebhookConfiguration', service('/a')), {
    ...server,
    host: 'fd00::1',
  }).webhooks;
  expect(webhook?.clientConfig).toMatchObject({ url: 'https://[fd00::1]:1234/a' });
});

test('what has a URL is asked of somebody else, and stays', () => {
  const before = configuration('MutatingWebhookConfiguration', { url: 'https://elsewhere/a', caBundle: 'x' });
  expect(withWebhookUrls(before, server)).toBe(before);
  expect(asksService(before)).toBe(false);
});

test('a definition with a conversion by a Service asks the URL, and keeps what is beside it', () => {
  const webhook = { conversionReviewVersions: ['v1'] };
  const before = definition({
    strategy: 'Webhook',
    webhook: { ...webhook, clientConfig: service('/convert') },
  });
  const local = withWebhookUrls(before, server);
  expect(local).toEqual(
    definition({
      strategy: 'Webhook',
      webhook: { ...webhook, clientConfig: { url: 'https://127.0.0.1:1234/convert', caBundle } },
    }),
  );
  expect(conversionUrl(local)).toBe('https://127.0.0.1:1234/convert');
  expect(asksService(before)).toBe(true);
});

test('definitions without such a conversion, and other objects, stay as they are', () => {
  const objects = [
    definition(),
    definition({ strategy: 'None' }),
    { kind: 'Service', metadata: { name: 'webhook-service' }, spec: { ports: [] } },
  ];
  for (const object of objects) expect(withWebhookUrls(object, server)).toBe(object);
});
