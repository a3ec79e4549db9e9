import type { Form } from '../../import/check-form.ts';

/** What the comparison reads of a v1 definition; schemas have a check of their own. Source: apiextensions v1 `types.go`. */
export const v1Form: Form = {
  fields: {
    metadata: { fields: { name: 'text', labels: 'any', annotations: 'any' } },
    status: { fields: { storedVersions: 'texts' } },
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
            webhook: { fields: { clientConfig: { fields: {} }, conversionReviewVersions: 'texts' } },
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
              schema: { fields: { openAPIV3Schema: { fields: {} } } },
              subresources: {
                fields: {
                  status: { fields: {} },
                  scale: {
                    fields: {
                      specReplicasPath: 'text',
                      statusReplicasPath: 'text',
                      labelSelectorPath: 'text',
                    },
                  },
                },
              },
              additionalPrinterColumns: { items: { fields: { name: 'text' } } },
              selectableFields: { items: { fields: { jsonPath: 'text' } } },
            },
          },
        },
      },
    },
  },
};
