// Self-signed certificates of webhooks with a real API server: kept in a Secret, trusted by configurations and CRDs, renewed.
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClusterClient, loadCluster, type ClusterClient } from '../../../../../src/index.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../../../src/sdk/k8s/generated/admissionregistration/v1.ts';
import { CustomResourceDefinition } from '../../../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { Secret } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { connectCluster } from '../../../../../src/sdk/runtime/manager/clusters.ts';
import {
  SelfSigned,
  type SelfSignedParts,
} from '../../../../../src/sdk/runtime/webhook/self-signed/start-self-signed.ts';
import { eventually } from '../../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../../helpers/control-plane.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../../../helpers/service-account.ts';
import { memoryLog } from '../../../../unit/sdk/runtime/memory-log.ts';

const slow = { timeout: 60_000 };

let plane: SharedControlPlane;
let client: ClusterClient;
let namespace: string;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'opsdk-self-signed-'));
  plane = await sharedControlPlane();
  client = createClusterClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
  namespace = await uniqueNamespace(plane);
}, 120_000);
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true });
});

/** Objects of one operator, not yet trusting it. Their rules match nothing that anybody sends. */
async function webhooks() {
  const name = uniqueName('hooks');
  const group = `${name}.example.com`;
  const service = { namespace, name: `${name}-service` };
  const webhook = (label: string, clientConfig: object) => ({
    ...{ name: `${label}.${group}`, clientConfig, admissionReviewVersions: ['v1'] },
    sideEffects: 'None' as const,
    rules: [
      { apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE' as const], resources: ['cups'] },
    ],
  });
  const hooks = [
    webhook('one', { service: { ...service, path: '/one' } }),
    webhook('two', { service: { ...service, path: '/two' } }),
    webhook('else', { service: { namespace, name: 'of-somebody-else' } }),
    webhook('url', { url: 'https://127.0.0.1:9/url' }),
  ];
  await client.create(MutatingWebhookConfiguration, { metadata: { name }, webhooks: hooks });
  await client.create(ValidatingWebhookConfiguration, { metadata: { name }, webhooks: hooks });
  const definition = `cups.${group}`;
  const schema = { openAPIV3Schema: { type: 'object' } };
  await client.create(CustomResourceDefinition, {
    metadata: { name: definition },
    spec: {
      ...{
        group,
        scope: 'Namespaced',
        names: { plural: 'cups', kind: 'Cup', singular: 'cup', listKind: 'CupList' },
      },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { service: { ...service, path: '/convert' } },
          conversionReviewVersions: ['v1'],
        },
      },
    },
  });
  const settings = {
    namespace,
    service: service.name,
    secret: `${name}-cert`,
    mutating: name,
    validating: name,
  };
  return { name, settings, definition };
}

/** A replica with the rights of its roles alone. */
async function start(
  { name, settings, definition }: Awaited<ReturnType<typeof webhooks>>,
  options: Partial<SelfSignedParts> & { readonly rules?: 'none' } = {},
) {
  const names = {
    mutating: [name],
    validating: [name],
    definitions: [definition],
    secrets: [settings.secret],
  };
  const verbs = ['get', 'list', 'watch', 'patch'];
  const admission = 'admissionregistration.k8s.io';
  const rules = [
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: names.secrets,
      verbs: ['get', 'list', 'watch', 'update'],
    },
    {
      apiGroups: [admission],
      resources: ['mutatingwebhookconfigurations'],
      resourceNames: names.mutating,
      verbs,
    },
    {
      apiGroups: [admission],
      resources: ['validatingwebhookconfigurations'],
      resourceNames: names.validating,
      verbs,
    },
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      resourceNames: names.definitions,
      verbs,
    },
  ];
  const token = await serviceAccountToken(
    client,
    namespace,
    options.rules === 'none' ? rules.slice(0, 2) : rules,
  );
  const { log, lines } = memoryLog();
  const kubeconfig = join(folder, uniqueName('kubeconfig'));
  writeFileSync(kubeconfig, tokenKubeconfig(plane, token));
  const access = await connectCluster({ kubeconfig, cluster: undefined, name: 'test', log });
  const shown: string[] = [];
  const selfSigned = new SelfSigned({
    ...{ settings, definitions: [definition], client: access.client, reflect: access.reflect, log },
    onChange: (server) => shown.push(server.certificate),
    interval: 100,
    ...options,
  });
  const first = await selfSigned.start(AbortSignal.timeout(30_000));
  shown.push(first.certificate);
  return {
    ...{ lines, shown, selfSigned },
    async [Symbol.asyncDispose]() {
      await selfSigned.stop();
      await access.close();
    },
  };
}

/** What the objects of an operator trust: each webhook's bundle, in order, and that of the definition. */
async function bundlesOf({ name, definition }: Awaited<ReturnType<typeof webhooks>>) {
  const text = (base64: string | undefined) => base64 && Buffer.from(base64, 'base64').toString();
  const [mutating, validating, crd] = await Promise.all([
    client.get(MutatingWebhookConfiguration, { name }),
    client.get(ValidatingWebhookConfiguration, { name }),
    client.get(CustomResourceDefinition, { name: definition }),
  ]);
  const of = (webhooks: readonly { clientConfig: { caBundle?: string | undefined } }[] = []) =>
    webhooks.map(({ clientConfig }) => text(clientConfig.caBundle));
  return [
    ...of(mutating.webhooks),
    ...of(validating.webhooks),
    text(crd.spec.conversion?.webhook?.clientConfig?.caBundle),
  ];
}

/** Of `bundlesOf`, those of the operator's Service; the others have none. */
async function trusted(
  hooks: Awaited<ReturnType<typeof webhooks>>,
): Promise<readonly (string | undefined)[]> {
  const [m1, m2, m3, m4, v1, v2, v3, v4, crd] = await bundlesOf(hooks);
  expect([m3, m4, v3, v4]).toEqual([undefined, undefined, undefined, undefined]);
  return [m1, m2, v1, v2, crd];
}

const storedCertificates = async ({ settings }: Awaited<ReturnType<typeof webhooks>>) => {
  const { data = {} } = await client.get(Secret, { name: settings.secret, namespace });
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
};

test('two replicas share one certificate, and make only the webhooks of their Service trust it', async () => {
  const hooks = await webhooks();
  const replicas = await Promise.all([start(hooks), start(hooks), start(hooks)]);
  const [a, b, c] = replicas;
  await eventually(async () => {
    expect(new Set([a.shown.at(-1), b.shown.at(-1), c.shown.at(-1)]).size).toBe(1);
    const stored = await storedCertificates(hooks);
    expect(a.shown.at(-1)).toBe(stored['tls.crt']);
    expect(new Set(await trusted(hooks))).toEqual(new Set([stored['ca.crt']]));
  }, slow);
  for (const replica of replicas) {
    expect(replica.lines.filter(({ level }) => level === 'error')).toEqual([]);
    replica.selfSigned.check();
    await replica[Symbol.asyncDispose]();
  }
  // A replica that comes later changes nothing.
  const before = await storedCertificates(hooks);
  await using later = await start(hooks);
  expect(later.shown).toEqual([before['tls.crt']]);
  expect(await storedCertificates(hooks)).toEqual(before);
});

test('what somebody changes is put right, and the rest of the object stays theirs', async () => {
  const hooks = await webhooks();
  await using replica = await start(hooks);
  const stored = await storedCertificates(hooks);
  const isTrusted = async () => expect(new Set(await trusted(hooks))).toEqual(new Set([stored['ca.crt']]));
  await eventually(isTrusted, slow);
  await client.patch(
    CustomResourceDefinition,
    { name: hooks.definition },
    { type: 'json', body: [{ op: 'remove', path: '/spec/conversion/webhook/clientConfig/caBundle' }] },
  );
  await client.patch(
    MutatingWebhookConfiguration,
    { name: hooks.name },
    {
      type: 'json',
      body: [
        { op: 'replace', path: '/webhooks/1/clientConfig/caBundle', value: '' },
        { op: 'replace', path: '/webhooks/0/timeoutSeconds', value: 3 },
      ],
    },
  );
  await eventually(isTrusted, slow);
  const { webhooks: changed = [] } = await client.get(MutatingWebhookConfiguration, { name: hooks.name });
  expect(changed[0]?.timeoutSeconds).toBe(3);
  // As after `kubectl delete` and `op-sdk deploy`.
  await client.delete(ValidatingWebhookConfiguration, { name: hooks.name });
  const { metadata, ...rest } = await client.get(MutatingWebhookConfiguration, { name: hooks.name });
  const again = (rest.webhooks ?? []).map(({ name, clientConfig: { service, url }, rules }) => ({
    ...{ name, clientConfig: { service, url }, rules, admissionReviewVersions: ['v1'] },
    sideEffects: 'None' as const,
  }));
  await client.create(ValidatingWebhookConfiguration, { metadata: { name: metadata.name }, webhooks: again });
  await eventually(isTrusted, slow);
  expect(replica.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('authority and certificate change step by step, and each server shown was trusted before', async () => {
  const hooks = await webhooks();
  const lifetimes = { authority: 15_000, certificate: 5000, settle: 1000 };
  // It looks at the time as often as such short lives need.
  await using replica = await start(hooks, { lifetimes, interval: undefined });
  const first = new X509Certificate((await storedCertificates(hooks))['authority.crt'] ?? '');
  let seen = 0;
  await eventually(async () => {
    // Each certificate from the moment that it is shown.
    const bundles = await trusted(hooks);
    const shown = [...replica.shown].at(-1) ?? '';
    if (replica.shown.length > seen) {
      seen = replica.shown.length;
      const server = new X509Certificate(shown);
      for (const bundle of bundles) {
        const authorities = (bundle ?? '')
          .split(/(?<=-----END CERTIFICATE-----\n)/)
          .filter((pem) => pem !== '');
        expect(authorities.some((pem) => server.verify(new X509Certificate(pem).publicKey))).toBe(true);
      }
    }
    const stored = await storedCertificates(hooks);
    const authority = new X509Certificate(stored['authority.crt'] ?? '');
    expect(authority.fingerprint256).not.toBe(first.fingerprint256);
    expect(stored['former-authority.crt']).toBeUndefined();
    expect(new Set(bundles)).toEqual(new Set([stored['authority.crt']]));
  }, slow);
  expect(replica.shown.length).toBeGreaterThan(2);
  expect(replica.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a Secret that somebody has broken is replaced', async () => {
  const hooks = await webhooks();
  await using replica = await start(hooks);
  const key = { name: hooks.settings.secret, namespace };
  await client.patch(Secret, key, { type: 'merge', body: { data: { 'tls.key': '' } } });
  await eventually(async () => {
    const stored = await storedCertificates(hooks);
    expect(stored['tls.key']).not.toBe('');
    expect(replica.shown.at(-1)).toBe(stored['tls.crt']);
    expect(new Set(await trusted(hooks))).toEqual(new Set([stored['ca.crt']]));
  }, slow);
  expect(replica.lines.some(({ msg }) => msg.includes('it is replaced'))).toBe(true);
});

test('a Secret that was deleted is written again as it was; one of another Service is left alone', async () => {
  const hooks = await webhooks();
  await using replica = await start(hooks);
  const stored = await storedCertificates(hooks);
  await client.delete(Secret, { name: hooks.settings.secret, namespace });
  await eventually(async () => expect(await storedCertificates(hooks)).toEqual(stored), slow);
  expect(replica.shown).toEqual([stored['tls.crt']]);

  const other = await webhooks();
  const settings = { ...other.settings, secret: hooks.settings.secret };
  const { log, lines } = memoryLog();
  const access = await connectCluster({
    kubeconfig: plane.kubeconfig,
    cluster: undefined,
    name: 'test',
    log,
  });
  const second = new SelfSigned({
    ...{ settings, definitions: [], client: access.client, reflect: access.reflect, log },
    onChange: () => undefined,
  });
  await expect(second.start(AbortSignal.timeout(1500))).rejects.toThrow();
  await second.stop();
  await access.close();
  expect(lines.filter(({ msg }) => msg.includes('cannot use the Secret'))).toHaveLength(1);
  expect(await storedCertificates(hooks)).toEqual(stored);
});

test('without the rights the operator serves, is not ready, and says what it lacks', async () => {
  const hooks = await webhooks();
  await using replica = await start(hooks, { rules: 'none' });
  await eventually(() => {
    expect(() => replica.selfSigned.check()).toThrow(/cannot watch (Mutating|Validating|CustomResource)/);
  }, slow);
  const message = 'The certificate of the webhooks: cannot watch CustomResourceDefinition';
  expect(replica.lines.filter(({ msg }) => msg.startsWith(message)).length).toBeLessThan(5);
});
