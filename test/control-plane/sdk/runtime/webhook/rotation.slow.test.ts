// Certificates of webhooks change while a real API server asks them about 200 requests a second.
import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineWebhook, type AnyWebhook } from '../../../../../src/index.ts';
import { ValidatingWebhookConfiguration } from '../../../../../src/sdk/k8s/generated/admissionregistration/v1.ts';
import { Secret, Service } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../../src/sdk/kube/index.ts';
import {
  serverNames,
  toSecretData,
} from '../../../../../src/sdk/runtime/webhook/self-signed/plan-certificates.ts';
import { freePort } from '../../../../../src/testing/control-plane/ports.ts';
import { eventually } from '../../../../../src/testing/index.ts';
import {
  CLOCK_SKEW_MS,
  createCertificateAuthority,
} from '../../../../../src/sdk/x509/certificate-authority.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../../helpers/control-plane.ts';
import { httpsGet } from '../../../../helpers/https-get.ts';
import { isThorough } from '../../../../helpers/thorough.ts';
import { issue } from '../../../../unit/sdk/runtime/webhook/serving.ts';
import { runManager } from '../running-manager.ts';
import { installMemcached, installWebhooks, type Kinds } from './installed-webhooks.ts';
import { SteadyLoad } from './steady-load.ts';

const slow = { timeout: 90_000 };
const path = '/checked';

let plane: SharedControlPlane;
let client: KubeClient;
let kind: Kinds['beta'];
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
    onWarning: () => undefined,
  });
  ({ beta: kind } = await installMemcached(client));
}, 180_000);
afterAll(async () => {
  await client?.close();
});

/** Refuses 2. It takes a while to answer, so that many requests are under way at any time. */
const checked = (): AnyWebhook =>
  defineWebhook(kind, {
    validation: { path },
    validate: {
      create: async ({ spec }) => {
        await sleep(100);
        return spec.size === 2 ? [{ path: '.spec.size', message: 'not 2' }] : [];
      },
    },
  });

const create = (namespace: string, size: number): Promise<unknown> =>
  client.create(kind, { metadata: { name: 'r', namespace }, spec: { size } }, { dryRun: true });

async function untilAsked(namespace: string): Promise<void> {
  await eventually(() => expect(create(namespace, 2)).rejects.toThrow('not 2'), slow);
}

test('files that are replaced under 200 requests a second: none fails', async () => {
  const namespace = await uniqueNamespace(plane);
  await using installed = await installWebhooks(plane.kubeconfig, client, namespace, checked());
  await untilAsked(namespace);
  const port = installed.running.ports.webhooks ?? 0;
  await using load = new SteadyLoad(port, () => create(namespace, 1));
  for (let rotation = 0; rotation < (isThorough ? 10 : 2); rotation += 1) {
    await load.more(100, 0);
    const pair = issue();
    installed.files.write(pair);
    const { raw } = new X509Certificate(pair.certificate);
    await eventually(
      async () => expect((await httpsGet(port, '/')).certificate.equals(raw)).toBe(true),
      slow,
    );
    await load.more(100, 10);
    expect(load.failures).toEqual([]);
  }
}, 300_000);

test('a self-signed certificate and its authority that are renewed under 200 requests a second: none fails', async () => {
  const namespace = await uniqueNamespace(plane);
  const name = uniqueName('self-signed');
  const [service, secret] = [`${name}-service`, `${name}-cert`];
  const port = await freePort();
  const key = { name: service, namespace };
  // The API server asks the port of this machine, and expects the name of the Service in the certificate.
  await client.create(Service, { metadata: key, spec: { type: 'ExternalName', externalName: '127.0.0.1' } });
  await client.create(ValidatingWebhookConfiguration, {
    metadata: { name },
    webhooks: [
      {
        ...{ name: `checked.${name}.example.com`, sideEffects: 'None', admissionReviewVersions: ['v1'] },
        timeoutSeconds: 30,
        clientConfig: { service: { ...key, port, path } },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [
          {
            apiGroups: [kind.group],
            apiVersions: [kind.version],
            resources: [kind.plural],
            operations: ['CREATE'],
          },
        ],
      },
    ],
  });
  const certificates = agedCertificates({ namespace, service });
  await client.create(Secret, {
    metadata: { name: secret, namespace },
    type: 'kubernetes.io/tls',
    data: toSecretData(certificates),
  });
  const settings = { namespace, service, secret, mutating: undefined, validating: name };
  const lifetimes = { certificateLifetime: '60s', authorityLifetime: '5m' } as const;
  await using running = await runManager(
    {
      kubeconfig: plane.kubeconfig,
      webhooks: { host: '127.0.0.1', port, selfSigned: { ...settings, ...lifetimes } },
    },
    checked(),
  );
  await untilAsked(namespace);
  const count = (reason: string): number =>
    running.lines.filter((line) => line.msg === reason || line['reason'] === reason).length;
  const shown = 'Certificate of the webhooks renewed';
  const before = count(shown);
  await using load = new SteadyLoad(port, () => create(namespace, 1));
  for (let rotation = 1; rotation <= (isThorough ? 3 : 2); rotation += 1) {
    await load.more(100, 0);
    await eventually(() => count(shown) >= before + rotation, slow);
    await load.more(100, 10);
    expect(load.failures).toEqual([]);
  }
  // The new authority alone is trusted in the end.
  await eventually(() => count('no server shows one of the former authority') > 0, slow);
  await load.more(100, 10);
  expect(load.failures).toEqual([]);
  expect(running.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await client.delete(ValidatingWebhookConfiguration, { name });
}, 300_000);

/** An authority that is due to be replaced, and a certificate of it that is due in a second. */
function agedCertificates(settings: { readonly namespace: string; readonly service: string }) {
  const second = 1000;
  const since = (age: number, lifetime: number) => ({
    from: Date.now() - age - CLOCK_SKEW_MS,
    until: Date.now() - age + lifetime,
  });
  const authority = createCertificateAuthority('old authority', since(200 * second, 300 * second));
  const server = authority.issue({
    ...{ commonName: settings.service, usage: 'server', dnsNames: serverNames(settings) },
    validity: since(39 * second, 60 * second),
  });
  const { certificate, key } = authority;
  return { server, authority: { certificate, key } };
}
