import type { Form } from './check-form.ts';

/** Source: apiextensions v1 `types.go`. Schemas have a check of their own; metadata and status are those of every object. */
export const v1Form: Form = {
  fields: {
    apiVersion: 'text',
    kind: 'text',
    metadata: {
      fields: { name: 'text', labels: { values: 'text' }, annotations: { values: 'text' } },
      others: true,
    },
    status: { fields: { storedVersions: 'texts' }, others: true },
    spec: {
      fields: {
        group: 'text',
        scope: 'text',
        preserveUnknownFields: 'boolean',
        names: {
          fields: {
            plural: 'text',
            singular: 'text',
            shortNames: 'texts',
            kind: 'text',
            listKind: 'text',
            categories: 'texts',
          },
        },
        conversion: {
          fields: {
            strategy: 'text',
            webhook: {
              fields: {
                clientConfig: {
                  fields: {
                    url: 'text',
                    caBundle: 'text',
                    service: { fields: { namespace: 'text', name: 'text', path: 'text', port: 'number' } },
                  },
                },
                conversionReviewVersions: 'texts',
              },
            },
          },
        },
        versions: {
          items: {
            fields: {
              name: 'text',
              served: 'boolean',
              storage: 'boolean',
              deprecated: 'boolean',
              deprecationWarning: 'text',
              schema: { fields: { openAPIV3Schema: { fields: {}, others: true } } },
              subresources: {
                fields: {
                  status: { fields: {}, others: true },
                  scale: {
                    fields: {
                      specReplicasPath: 'text',
                      statusReplicasPath: 'text',
                      labelSelectorPath: 'text',
                    },
                  },
                },
              },
              additionalPrinterColumns: {
                items: {
                  fields: {
                    name: 'text',
                    type: 'text',
                    format: 'text',
                    description: 'text',
                    priority: 'number',
                    jsonPath: 'text',
                  },
                },
              },
              selectableFields: { items: { fields: { jsonPath: 'text' } } },
            },
          },
        },
      },
    },
  },
};
