import { defineResource, type Condition, type CustomResource } from '../../../../src/sdk/api/index.ts';
import type { CrdDocument } from '../../../../src/kubernetes/crd/index.ts';

export interface Site extends CustomResource<'web.example.com/v1', 'Site'> {
  spec: { pages?: number; title?: string };
  status?: { pages?: number; conditions?: Condition[] };
}
export const Site = defineResource<Site>({ group: 'web.example.com', version: 'v1', kind: 'Site' });

const integer = { type: 'integer', minimum: 0 };

export const siteCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.web.example.com' },
  spec: {
    group: 'web.example.com',
    scope: 'Namespaced',
    names: { kind: 'Site', plural: 'sites', singular: 'site', listKind: 'SiteList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { pages: { ...integer, default: 1 }, title: { type: 'string' } },
              },
              status: {
                type: 'object',
                properties: {
                  pages: integer,
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: {
                      type: 'object',
                      required: ['type', 'status'],
                      properties: {
                        ...Object.fromEntries(
                          ['type', 'status', 'reason', 'message', 'lastTransitionTime'].map((name) => [
                            name,
                            { type: 'string' },
                          ]),
                        ),
                        observedGeneration: integer,
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
} as unknown as CrdDocument;

export const site = (name: string, spec: Site['spec'] = {}): Site => ({
  apiVersion: 'web.example.com/v1',
  kind: 'Site',
  metadata: { name, namespace: 'default' },
  spec,
});
