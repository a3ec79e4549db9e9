import type { PlacedObject } from '../../../src/kubernetes/yaml/index.ts';

/** A definition with a conversion by a Service in a namespace. */
export function convertedCrd(group: string, kind: string, namespace: string): PlacedObject {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    object: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}.example.com` },
      spec: {
        group: `${group}.example.com`,
        scope: 'Namespaced',
        names: { kind, plural, singular, listKind: `${kind}List` },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { service: { name: 'webhook-service', namespace, path: '/convert' } },
          },
        },
      },
    },
    where: { file: 'crd.yaml' },
  };
}
