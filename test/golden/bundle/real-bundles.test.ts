// Bundles of other operators, taken apart into plain objects and put together again: what OLM would install must be the same.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { generateBundle } from '../../../src/olm/bundle/index.ts';
import { chosen } from '../../helpers/thorough.ts';
import { readManifest } from '../../../src/kubernetes/yaml/manifest-object.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- bundles of others, of any shape
type Loose = any;

const folder = fileURLToPath(new URL('../../../../shared/data/bundles', import.meta.url));
const bundles = !existsSync(folder)
  ? []
  : readdirSync(folder, { withFileTypes: true }).flatMap((operator) =>
      operator.isDirectory()
        ? readdirSync(join(folder, operator.name)).map((version) => `${operator.name}/${version}`)
        : [],
    );

const namespace = 'operators';
const list = (value: Loose): Loose[] => (value ?? []) as Loose[];
const object = (apiVersion: string, kind: string, name: string, rest: object): Loose => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  ...rest,
});

/** The Deployments, accounts, roles, samples and webhooks that a ClusterServiceVersion was made from. */
function takenApart(csv: Loose, crds: readonly Loose[]): Loose[] {
  const { deployments, permissions, clusterPermissions } = csv.spec.install.spec;
  const granted = [
    ...list(permissions).map((entry) => ({ ...entry, kind: 'Role' })),
    ...list(clusterPermissions).map((entry) => ({ ...entry, kind: 'ClusterRole' })),
  ];
  const rbac = granted.flatMap(({ kind, rules, serviceAccountName }, index) => {
    const name = `role-${String(index).padStart(3, '0')}`;
    const subjects = [{ kind: 'ServiceAccount', name: serviceAccountName, namespace }];
    return [
      object('rbac.authorization.k8s.io/v1', kind, name, { rules }),
      object('rbac.authorization.k8s.io/v1', `${kind}Binding`, name, { roleRef: { kind, name }, subjects }),
    ];
  });
  const webhooks = list(csv.spec.webhookdefinitions).flatMap((webhook, index) => {
    const { type, generateName, deploymentName, containerPort, targetPort, webhookPath, ...rest } = webhook;
    const name = `webhook-${index}`;
    const { selector } = list(deployments).find((deployment) => deployment.name === deploymentName).spec;
    const service = object('v1', 'Service', name, {
      spec: { selector: selector.matchLabels, ports: [{ port: containerPort, targetPort }] },
    });
    const clientConfig = { service: { name, namespace, path: webhookPath, port: containerPort } };
    if (type === 'ConversionWebhook') {
      for (const crd of crds.filter(({ metadata }) => list(rest.conversionCRDs).includes(metadata.name))) {
        const conversionReviewVersions = rest.admissionReviewVersions;
        crd.spec.conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } };
      }
      return [service];
    }
    const kind = String(type).replace('AdmissionWebhook', 'WebhookConfiguration');
    const configured = [{ name: generateName, clientConfig, ...rest }];
    return [service, object('admissionregistration.k8s.io/v1', kind, name, { webhooks: configured })];
  });
  return [
    ...list(deployments).map(({ name, label, spec }) => ({
      ...object('apps/v1', 'Deployment', name, { spec }),
      metadata: { name, namespace, ...(label === undefined ? {} : { labels: label }) },
    })),
    ...rbac,
    ...webhooks,
    ...(JSON.parse(csv.metadata.annotations['alm-examples'] ?? '[]') as Loose[]),
  ];
}

const by =
  (...keys: string[]) =>
  (a: Loose, b: Loose): number =>
    JSON.stringify(keys.map((key) => a[key] ?? '')) < JSON.stringify(keys.map((key) => b[key] ?? ''))
      ? -1
      : 1;

function sorted(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value as object)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** What OLM installs, without the order of lists whose order means nothing. */
function installed({ spec, metadata }: Loose): Loose {
  const { deployments, permissions, clusterPermissions } = spec.install.spec;
  const rulesOf = (entries: Loose): Loose => {
    const accounts = new Map<string, Loose[]>();
    for (const { serviceAccountName, rules } of list(entries))
      accounts.set(serviceAccountName, [...(accounts.get(serviceAccountName) ?? []), ...list(rules)]);
    return Object.fromEntries([...accounts].map(([name, rules]) => [name, rules]));
  };
  // OLM says which namespaces to watch: the variable is set for it, whatever it was.
  const text = JSON.stringify(list(deployments).sort(by('name')), (key, value: Loose) =>
    key === 'env' ? (value as Loose[] | null)?.filter(({ name }) => name !== 'WATCH_NAMESPACE') : value,
  );
  const examples = JSON.parse(metadata.annotations['alm-examples'] ?? '[]') as Loose[];
  return {
    deployments: JSON.parse(text) as unknown,
    permissions: rulesOf(permissions),
    clusterPermissions: rulesOf(clusterPermissions),
    webhooks: list(spec.webhookdefinitions)
      .map((webhook) => ({ ...webhook, targetPort: webhook.targetPort ?? webhook.containerPort }))
      .sort(by('generateName')),
    relatedImages: list(spec.relatedImages).sort(by('name', 'image')),
    // Some leave versions out that are served, or name some that are not.
    owned: [...new Set(list(spec.customresourcedefinitions?.owned).map(({ name }) => name as string))].sort(),
    required: list(spec.customresourcedefinitions?.required),
    installModes: spec.installModes,
    examples: examples.map((example) => JSON.stringify(sorted(example))).sort(),
    description: spec.description,
    icon: spec.icon,
  };
}

describe('real bundles, taken apart and put together again', () => {
  if (bundles.length === 0) {
    test.skip('the bundles are not on this machine', () => undefined);
    return;
  }
  test.each(chosen(bundles))('%s', (path) => {
    const manifests = join(folder, path, 'manifests');
    const objects = readdirSync(manifests)
      .filter((file) => /\.ya?ml$/.test(file))
      .flatMap((file) => readManifest(readFileSync(join(manifests, file), 'utf8'), file))
      .map((placed): Loose => placed.object);
    const csv = objects.find(({ kind }) => kind === 'ClusterServiceVersion');
    const others = objects.filter((other) => other !== csv);
    const expected = installed(structuredClone(csv));
    const base = structuredClone(csv);
    for (const field of ['install', 'webhookdefinitions']) delete base.spec[field];
    delete base.metadata.annotations['alm-examples'];
    const { deployments, permissions, clusterPermissions } = csv.spec.install.spec;
    const accounts = new Set(
      [...list(permissions), ...list(clusterPermissions)].map(
        ({ serviceAccountName }) => serviceAccountName as string,
      ),
    );
    const missing = [...accounts].filter(
      (name) => !others.some(({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === name),
    );
    expect(list(deployments).length).toBeGreaterThan(0);
    const input = [
      ...others,
      ...takenApart(csv, others),
      ...missing.map((name) => object('v1', 'ServiceAccount', name, {})),
    ];
    const { manifests: made } = generateBundle({
      packageName: String(csv.metadata.name).split('.')[0] ?? '',
      version: String(csv.spec.version),
      channels: ['alpha'],
      builder: 'op-sdk',
      projectLayout: 'unknown',
      objects: input.map((item: Loose, index) => ({ object: item, where: { file: path, line: index + 1 } })),
      base: { object: base, where: { file: path } },
      extraServiceAccounts: [...accounts],
    });
    expect(installed(structuredClone(made[0]?.document))).toEqual(expected);
  });
});
