// `startControlPlane({ webhooks })`: a real API server that asks webhooks on this machine, for admission and for conversions.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject, type Resource } from '../../../src/sdk/api/index.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../src/sdk/k8s/generated/admissionregistration/v1.ts';
import { CustomResourceDefinition } from '../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import {
  joinControlPlane,
  shareControlPlane,
} from '../../../src/testing/control-plane/join-control-plane.ts';
import { bootControlPlane } from '../../../src/testing/control-plane/start-control-plane.ts';
import { eventually, startControlPlane } from '../../../src/testing/index.ts';
import { serveWebhooks } from '../../helpers/webhook-server.ts';

interface Site extends KubeObject {
  readonly spec: { readonly defaulted?: string; readonly convertedTo?: string };
}

const service = (path: string) => ({ name: 'webhook-service', namespace: 'system', path });

function definition(plural: string): object {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: plural[0]?.toUpperCase() + plural.slice(1, -1), plural },
      versions: [
        { name: 'v1', served: true, storage: true, schema },
        { name: 'v1alpha1', served: true, storage: false, schema },
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { service: service('/convert') }, conversionReviewVersions: ['v1'] },
      },
    },
  };
}

function configuration(kind: 'Mutating' | 'Validating'): object {
  const path = `/${kind.toLowerCase()}-example-com-v1-site`;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: `${kind.toLowerCase()}-webhook-configuration` },
    webhooks: [
      {
        name: `${kind.toLowerCase()}site-v1.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        clientConfig: { service: service(path) },
        rules: [
          {
            apiGroups: ['example.com'],
            apiVersions: ['v1'],
            resources: ['sites'],
            operations: ['CREATE', 'UPDATE'],
          },
        ],
      },
    ],
  };
}

function resource(plural: string, version: string): Resource<Site> {
  const kind = `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}`;
  return externalResource<Site>({ group: 'example.com', version, kind, plural, scope: 'Namespaced' });
}

let folder: string;
let crds: string;
let more: string;
let webhooks: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-test-'));
  crds = join(folder, 'crd.json');
  more = join(folder, 'more.json');
  webhooks = join(folder, 'webhooks.json');
  await writeFile(crds, JSON.stringify(definition('sites')));
  await writeFile(more, JSON.stringify(definition('pages')));
  const items = [configuration('Mutating'), configuration('Validating')];
  await writeFile(webhooks, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
});
afterAll(() => rm(folder, { recursive: true }));

async function clientOf(kubeconfig: string): Promise<KubeClient> {
  return createClient({ cluster: await loadCluster({ kubeconfig }), fieldManager: 'test' });
}

const key = (name: string) => ({ name, namespace: 'default' });

async function create(client: KubeClient, name: string, plural = 'sites', version = 'v1'): Promise<Site> {
  return client.create(resource(plural, version), { metadata: key(name), spec: {} });
}

describe('with webhooks', () => {
  test('the API server asks them from the start, and converts by them', async () => {
    await using controlPlane = await startControlPlane({ crds: [crds], webhooks: { paths: [webhooks] } });
    const client = await clientOf(controlPlane.kubeconfig);
    try {
      // Nobody serves yet: a request that was let through would mean that the API server does not ask.
      await expect(create(client, 'early')).rejects.toThrow(
        'failed calling webhook "mutatingsite-v1.example.com"',
      );
      const serving = controlPlane.webhooks;
      expect(serving).toMatchObject({
        host: '127.0.0.1',
        certificate: { certificate: 'tls.crt', key: 'tls.key' },
      });
      if (serving === undefined) return;
      await using _server = await serveWebhooks(serving);
      expect((await create(client, 'one')).spec).toEqual({ defaulted: 'by webhook' });
      const read = await client.get(resource('sites', 'v1alpha1'), key('one'));
      expect(read.spec.convertedTo).toBe('example.com/v1alpha1');
      // Definitions that come later, too.
      await controlPlane.installCrds([more]);
      await create(client, 'two', 'pages', 'v1alpha1');
      const page = await client.get(resource('pages', 'v1'), key('two'));
      expect(page.spec.convertedTo).toBe('example.com/v1');
      // Nothing is left of what was written to find out.
      for (const kind of [MutatingWebhookConfiguration, ValidatingWebhookConfiguration] as const)
        expect((await client.list<Resource>(kind)).items).toHaveLength(1);
    } finally {
      await client.close();
    }
  });

  test('definitions that are installed again are served while nobody converts', async () => {
    await using controlPlane = await startControlPlane({
      crds: [more],
      webhooks: { paths: [], port: 23_456 },
    });
    expect(controlPlane.webhooks?.port).toBe(23_456);
    const client = await clientOf(controlPlane.kubeconfig);
    try {
      await create(client, 'one', 'pages');
      await controlPlane.installCrds([more]);
      await expect(client.get(resource('pages', 'v1alpha1'), key('one'))).rejects.toThrow(
        'https://127.0.0.1:23456/convert',
      );
    } finally {
      await client.close();
    }
  });

  test('what the API server refuses is reported', async () => {
    const invalid = join(folder, 'invalid.json');
    const [webhook] = (configuration('Mutating') as { webhooks: object[] }).webhooks;
    const broken = { ...configuration('Mutating'), webhooks: [{ ...webhook, sideEffects: 'Some' }] };
    await writeFile(invalid, JSON.stringify(broken));
    await expect(startControlPlane({ webhooks: { paths: [invalid] } })).rejects.toMatchObject({
      findings: [{ code: 'testenv/invalid-webhook', where: { file: invalid } }],
    });
  });
});

test('without webhooks, definitions are installed as they are: other versions than the stored one fail', async () => {
  await using controlPlane = await startControlPlane({ crds: [more] });
  expect(controlPlane.webhooks).toBeUndefined();
  const client = await clientOf(controlPlane.kubeconfig);
  try {
    await create(client, 'one', 'pages');
    await expect(client.get(resource('pages', 'v1alpha1'), key('one'))).rejects.toThrow(
      /conversion webhook for example.com\/v1, Kind=Page failed/,
    );
  } finally {
    await client.close();
  }
});

test('on the control plane of an audit several processes have webhooks, and leave nothing', async () => {
  await using plane = await bootControlPlane({ crds: [crds] });
  const shared = await shareControlPlane(
    plane.shared({ operatorKubeconfig: plane.kubeconfig, controllerManager: false }),
  );
  const client = await clientOf(plane.kubeconfig);
  try {
    const before = await client.get(CustomResourceDefinition, { name: 'sites.example.com' });
    const options = { crds: [crds], webhooks: { paths: [webhooks] } };
    const first = await joinControlPlane(shared, options);
    const second = await joinControlPlane(shared, options);
    const [one, two] = [first.webhooks, second.webhooks];
    if (one === undefined || two === undefined) throw new Error('expected webhooks');
    expect(one.port).not.toBe(two.port);
    {
      await using _first = await serveWebhooks(one);
      await using _second = await serveWebhooks(two);
      expect((await create(client, 'one')).spec).toEqual({ defaulted: 'by webhook' });
      const read = await client.get(resource('sites', 'v1alpha1'), key('one'));
      expect(read.spec.convertedTo).toBe('example.com/v1alpha1');
      await second.stop();
      // The API server follows definitions by a watch.
      await eventually(() => client.get(resource('sites', 'v1alpha1'), key('one')));
    }
    await first.stop();
    expect((await client.list(MutatingWebhookConfiguration)).items).toEqual([]);
    const after = await client.get(CustomResourceDefinition, { name: 'sites.example.com' });
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata.annotations).toEqual(before.metadata.annotations);
  } finally {
    await client.close();
  }
});
