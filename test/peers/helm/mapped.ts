import type { ManifestObject } from '../../../src/kubernetes/yaml/index.ts';

const commonLabels = [
  'app.kubernetes.io/name',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/instance',
  'helm.sh/chart',
];

/**
 * Returns objects by kind and name, without all that a release has in another way than deploy:
 * 1. Helm creates the namespace, or somebody has.
 * 2. Labels of all objects: instance, chart, and Helm as the manager.
 * 3. Labels of Pods, and selectors of Pods and Services, name the release.
 * 4. Definitions have the annotation by which Helm keeps them.
 * 5. Helm runs a Pod for `helm test`.
 * 6. The Secret with the certificate of webhooks has a name of the release.
 * 7. Webhooks of an operator that watches its own namespace are called for that one alone.
 */
export function mapped(all: readonly ManifestObject[]): ReadonlyMap<string, unknown> {
  const text = JSON.stringify(all).replaceAll(/"[\w-]*(?=webhook-server-cert")/g, '"');
  const objects = JSON.parse(text) as readonly ManifestObject[];
  return new Map(
    objects
      .filter(
        ({ kind, metadata }) => kind !== 'Namespace' && metadata.annotations?.['helm.sh/hook'] === undefined,
      )
      .map((object) => {
        const { labels = {}, annotations = {}, ...metadata } = object.metadata;
        const own = Object.entries(labels).filter(([name]) => !commonLabels.includes(name));
        const kept = Object.entries(annotations).filter(([name]) => name !== 'helm.sh/resource-policy');
        const rest = withoutInstance({ ...object, ...withoutNamespaces(object), metadata: {} }) as object;
        return [
          `${object.kind} ${object.metadata.name}`,
          {
            ...rest,
            metadata: { ...metadata, labels: Object.fromEntries(own), annotations: Object.fromEntries(kept) },
          },
        ] as const;
      }),
  );
}

function withoutInstance(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutInstance);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([name]) => name !== 'app.kubernetes.io/instance');
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutInstance(value)]));
}

function withoutNamespaces({ webhooks }: ManifestObject): object {
  if (!Array.isArray(webhooks)) return {};
  return {
    webhooks: webhooks.map((webhook: object) =>
      Object.fromEntries(Object.entries(webhook).filter(([name]) => name !== 'namespaceSelector')),
    ),
  };
}
