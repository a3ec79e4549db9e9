import type { Schema } from './schema.ts';

const text: Schema = { type: 'string' };
const strings: Schema = { type: 'object', additionalProperties: text };
const integer: Schema = { type: 'integer', format: 'int64' };

/** Source: apimachinery `metav1.ObjectMeta`, with the list types of its OpenAPI document. */
export const objectMetaSchema: Schema = {
  type: 'object',
  properties: {
    annotations: strings,
    creationTimestamp: { ...text, nullable: true },
    deletionGracePeriodSeconds: integer,
    deletionTimestamp: { ...text, nullable: true },
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    generateName: text,
    generation: integer,
    labels: strings,
    managedFields: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        properties: {
          apiVersion: text,
          fieldsType: text,
          fieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          manager: text,
          operation: text,
          subresource: text,
          time: { ...text, nullable: true },
        },
      },
    },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      items: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: {
          apiVersion: text,
          blockOwnerDeletion: { type: 'boolean' },
          controller: { type: 'boolean' },
          kind: text,
          name: text,
          uid: text,
        },
      },
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};
