import type { Form } from './check-form.ts';

const names: Form = {
  fields: {
    plural: 'text',
    singular: 'text',
    shortNames: 'texts',
    kind: 'text',
    listKind: 'text',
    categories: 'texts',
  },
};

/** What may be said for all versions at once, or in each. */
const perVersion: Readonly<Record<string, Form>> = {
  subresources: {
    fields: {
      status: 'any',
      scale: {
        fields: { specReplicasPath: 'text', statusReplicasPath: 'text', labelSelectorPath: 'text' },
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
        priority: 'integer',
        JSONPath: 'text',
      },
    },
  },
  selectableFields: { items: { fields: { jsonPath: 'text' } } },
};

const validation: Form = { fields: { openAPIV3Schema: 'any' } };

const clientConfig: Form = {
  fields: {
    url: 'text',
    caBundle: 'text',
    service: { fields: { namespace: 'text', name: 'text', path: 'text', port: 'integer' } },
  },
};

/** Source: apiextensions v1beta1 `types.go`. */
export const v1beta1Form: Form = {
  fields: {
    apiVersion: 'text',
    kind: 'text',
    metadata: 'any',
    status: 'any',
    spec: {
      fields: {
        group: 'text',
        version: 'text',
        names,
        scope: 'text',
        validation,
        versions: {
          items: {
            fields: {
              name: 'text',
              served: 'boolean',
              storage: 'boolean',
              deprecated: 'boolean',
              deprecationWarning: 'text',
              schema: validation,
              ...perVersion,
            },
          },
        },
        conversion: {
          fields: {
            strategy: 'text',
            webhookClientConfig: clientConfig,
            conversionReviewVersions: 'texts',
          },
        },
        preserveUnknownFields: 'boolean',
        ...perVersion,
      },
    },
  },
};
