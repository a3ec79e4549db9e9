import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { registerCommonMetrics } from '../../../../../src/sdk/runtime/metrics/common-metrics.ts';
import { metricsRegistry } from '../../../../../src/sdk/runtime/metrics/registry.ts';
import { serveSecure, type SecureServer } from '../../../../../src/sdk/runtime/http/secure-server.ts';
import { createCertificateAuthority } from '../../../../../src/sdk/x509/certificate-authority.ts';
import { httpsGet } from '../../../../helpers/https-get.ts';

const authority = createCertificateAuthority('test');
const issue = () =>
  authority.issue({
    commonName: 'localhost',
    usage: 'server',
    ipAddresses: ['127.0.0.1'],
    dnsNames: ['localhost'],
  });

let server: SecureServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(http2: boolean, certificate = issue()): Promise<SecureServer> {
  server = await serveSecure({
    purpose: { name: 'metrics', flag: '--metrics-bind-address' },
    address: { host: '127.0.0.1', port: 0 },
    answer: async (url, { headers }) =>
      url.pathname === '/metrics'
        ? { status: 200, body: `for ${headers.authorization ?? 'nobody'}` }
        : undefined,
    report: (error) => {
      throw error;
    },
    certificate,
    http2,
  });
  return server;
}

test.each([false, true])(
  'answers over HTTPS with a certificate that can be checked (HTTP/2 offered: %s)',
  async (http2) => {
    const { port } = await serve(http2);
    const options = { rejectUnauthorized: true, ca: authority.certificate, headers: { authorization: 'a' } };
    expect(await httpsGet(port, '/metrics', options)).toMatchObject({ status: 200, text: 'for a' });
    expect((await httpsGet(port, '/other')).status).toBe(404);
    expect((await httpsGet(port, '/metrics', { method: 'POST' })).status).toBe(405);
    expect(await httpsGet(port, '/metrics', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  },
);

test('has the expiry of the certificate that it serves in a metric, until it is closed', async () => {
  registerCommonMetrics();
  const expiry = async (): Promise<readonly unknown[]> => {
    const metric = metricsRegistry.getSingleMetric('opsdk_certificate_expiration_timestamp_seconds');
    return ((await metric?.get())?.values ?? []).map(({ labels, value }) => [labels['server'], value]);
  };
  const seconds = (at: string): number => Date.parse(at) / 1000;
  const issued = (until: string) =>
    authority.issue({
      commonName: 'localhost',
      usage: 'server',
      validity: { from: 0, until: Date.parse(until) },
    });
  const { renew, close } = await serve(false, issued('2027-01-02T03:04:05Z'));
  expect(await expiry()).toEqual([['metrics', seconds('2027-01-02T03:04:05Z')]]);
  renew(issued('2027-02-03T04:05:06Z'));
  expect(await expiry()).toEqual([['metrics', seconds('2027-02-03T04:05:06Z')]]);
  await close();
  expect(await expiry()).toEqual([]);
});

test('renews its certificate for new connections', async () => {
  const { port, renew } = await serve(false);
  const before = (await httpsGet(port, '/metrics')).certificate;
  const next = issue();
  renew(next);
  const after = (await httpsGet(port, '/metrics')).certificate;
  expect(after.equals(before)).toBe(false);
  expect(after.equals(new X509Certificate(next.certificate).raw)).toBe(true);
});

test.each([
  [false, 'http/1.1'],
  [true, 'h2'],
])('speaks HTTP/2 only if that is switched on (%s: %s)', async (http2, protocol) => {
  const { port } = await serve(http2);
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['h2', 'http/1.1'],
  });
  await once(socket, 'secureConnect');
  expect(socket.alpnProtocol).toBe(protocol);
  socket.destroy();
  if (!http2) return;
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  const stream = session.request({ ':path': '/metrics' });
  expect(await text(stream)).toBe('for nobody');
  session.close();
});

test.each([false, true])(
  'closes while clients keep connections, or have never said anything (HTTP/2: %s)',
  async (http2) => {
    const { port, close } = await serve(http2);
    const silent = connectTcp(port, '127.0.0.1');
    await once(silent, 'connect');
    const kept = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(kept, 'secureConnect');
    for (const socket of [silent, kept]) socket.on('error', () => undefined);
    const ended = [once(silent, 'close'), once(kept, 'close')];
    await close();
    await Promise.all(ended);
    server = undefined;
  },
);
