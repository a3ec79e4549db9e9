import type { StructuralSchema } from './types.ts';

/** The forms of an amount such as `500m` or `2Gi`. Source: controller-tools `pkg/crd/known_types.go`. */
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const strings = (): StructuralSchema => ({ type: 'object', additionalProperties: { type: 'string' } });

/** The order of `anyOf` matters: the API server accepts no other. */
const intOrString = (): StructuralSchema => ({
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
});

/**
 * Types that mean more than their OpenAPI schema says, as controller-gen writes them. Embedded metadata keeps what users
 * write into templates (controller-gen's `generateEmbeddedObjectMeta`); a bare object would lose it to pruning.
 */
export const knownTypes: Readonly<Record<string, () => StructuralSchema>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': () => ({ ...intOrString(), pattern: quantityPattern }),
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': intOrString,
  'io.k8s.apimachinery.pkg.runtime.RawExtension': () => ({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': () => ({
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': () => ({ type: 'string', format: 'date-time' }),
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': () => ({ type: 'string', format: 'date-time' }),
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': () => ({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': () => ({
    type: 'object',
    properties: {
      annotations: strings(),
      finalizers: { type: 'array', items: { type: 'string' } },
      labels: strings(),
      name: { type: 'string' },
      namespace: { type: 'string' },
    },
  }),
};
