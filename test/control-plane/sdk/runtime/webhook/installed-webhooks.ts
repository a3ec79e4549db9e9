import {
  defineResource,
  type AnyWebhook,
  type CustomResource,
  type Int32,
  type Resource,
} from '../../../../../src/index.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  type MutatingWebhook,
} from '../../../../../src/sdk/k8s/generated/admissionregistration/v1.ts';
import { CustomResourceDefinition } from '../../../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../../src/testing/index.ts';
import { uniqueName } from '../../../../helpers/control-plane.ts';
import { authority, CertificateFolder } from '../../../../unit/sdk/runtime/webhook/serving.ts';
import { runManager, type RunningManager } from '../running-manager.ts';

/** The kind of these tests. */
export interface Memcached extends CustomResource {
  spec: { size: Int32; image?: string; note?: string; tags?: string[] };
  status?: { ready?: boolean };
}

/** Two versions of it, of equal schemas. */
export interface Kinds {
  readonly alpha: Resource<Memcached>;
  readonly beta: Resource<Memcached>;
}

const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: { type: 'integer' },
          image: { type: 'string' },
          note: { type: 'string' },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
      status: { type: 'object', properties: { ready: { type: 'boolean' } } },
    },
  },
};

/** Lets the API server serve the kind, in a group of its own. */
export async function installMemcached(client: KubeClient): Promise<Kinds> {
  const group = `${uniqueName('cache')}.example.com`;
  const version = (name: string, storage: boolean) => ({
    ...{ name, storage, served: true, schema, subresources: { status: {} } },
  });
  const key = { name: `memcacheds.${group}` };
  await client.apply(CustomResourceDefinition, {
    metadata: key,
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Memcached', plural: 'memcacheds', singular: 'memcached', listKind: 'MemcachedList' },
      versions: [version('v1alpha1', false), version('v1beta1', true)],
    },
  });
  await eventually(
    async () => {
      const { status } = await client.get(CustomResourceDefinition, key);
      return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True');
    },
    { timeout: 60_000 },
  );
  const kind = (name: string): Resource<Memcached> =>
    defineResource<Memcached>({ group, version: name, kind: 'Memcached' });
  return { alpha: kind('v1alpha1'), beta: kind('v1beta1') };
}

/** Webhooks that a manager serves and the API server asks. */
export interface InstalledWebhooks extends AsyncDisposable {
  readonly running: RunningManager;
  readonly files: CertificateFolder;
}

/** Serves webhooks on loopback, and tells the API server to ask them about objects of one namespace, as generated configurations do. */
export async function installWebhooks(
  kubeconfig: string,
  client: KubeClient,
  namespace: string,
  ...webhooks: readonly AnyWebhook[]
): Promise<InstalledWebhooks> {
  const files = new CertificateFolder();
  const running = await runManager(
    { kubeconfig, webhooks: { port: 0, host: '127.0.0.1', certificate: { folder: files.folder } } },
    ...webhooks,
  );
  await eventually(() => running.ports.webhooks !== undefined, { timeout: 60_000 });
  const name = uniqueName('webhook');
  const entries = (path: 'defaultingPath' | 'validationPath', settings: 'defaulting' | 'validation') =>
    webhooks.flatMap((webhook, index) => {
      const at = webhook[path];
      if (at === undefined) return [];
      const { group, version, plural } = webhook.for;
      const { subresources = [], ...common } = webhook.options;
      const { failurePolicy, timeoutSeconds, sideEffects, matchPolicy } = {
        ...common,
        ...webhook.options[settings],
      };
      const { validate = {} } = webhook.options;
      const asked = [
        ['CREATE', validate.create !== undefined],
        ['UPDATE', validate.update !== undefined],
        ['DELETE', validate.delete !== undefined],
      ] as const;
      const operations =
        path === 'defaultingPath'
          ? (['CREATE', 'UPDATE'] as const)
          : asked.flatMap(([operation, isAsked]) => (isAsked ? [operation] : []));
      const entry: MutatingWebhook = {
        name: `w${index}.${name}.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: sideEffects ?? 'None',
        ...(failurePolicy === undefined ? {} : { failurePolicy }),
        ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
        matchPolicy: matchPolicy ?? 'Equivalent',
        clientConfig: {
          url: `https://127.0.0.1:${running.ports.webhooks}${at}`,
          caBundle: Buffer.from(authority.certificate).toString('base64'),
        },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [
          {
            apiGroups: [group],
            apiVersions: [version],
            resources: [plural, ...subresources.map((subresource) => `${plural}/${subresource}`)],
            operations: [...operations],
          },
        ],
      };
      return [entry];
    });
  const mutating = entries('defaultingPath', 'defaulting');
  const validating = entries('validationPath', 'validation');
  if (mutating.length > 0)
    await client.apply(MutatingWebhookConfiguration, { metadata: { name }, webhooks: mutating });
  if (validating.length > 0)
    await client.apply(ValidatingWebhookConfiguration, { metadata: { name }, webhooks: validating });
  return {
    running,
    files,
    [Symbol.asyncDispose]: async () => {
      if (mutating.length > 0) await client.delete(MutatingWebhookConfiguration, { name });
      if (validating.length > 0) await client.delete(ValidatingWebhookConfiguration, { name });
      await running[Symbol.asyncDispose]();
      files[Symbol.dispose]();
    },
  };
}
