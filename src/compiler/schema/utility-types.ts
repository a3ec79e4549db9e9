import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';
import type { Adjustment } from './shape.ts';

/** Source: apimachinery `resource.Quantity` as controller-gen writes it. */
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const intOrString = (): JSONSchemaProps => ({
  // The API server wants this order.
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
});

const anyObject = (): JSONSchemaProps => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
const strings = (): JSONSchemaProps => ({ type: 'object', additionalProperties: { type: 'string' } });

/** The utility types of `opsdk` whose schema does not depend on an argument, by name. Each call makes a new object. */
export const fixedUtilityTypes: Readonly<Record<string, () => JSONSchemaProps>> = {
  Int32: () => ({ type: 'integer', format: 'int32' }),
  Int64: () => ({ type: 'integer', format: 'int64' }),
  Integer: () => ({ type: 'integer' }),
  Float32: () => ({ type: 'number', format: 'float' }),
  Double: () => ({ type: 'number', format: 'double' }),
  Float: () => ({ type: 'number' }),
  Quantity: () => ({ ...intOrString(), pattern: quantityPattern }),
  IntOrString: intOrString,
  DateTime: () => ({ type: 'string', format: 'date-time' }),
  Duration: () => ({ type: 'string', format: 'duration' }),
  Base64: () => ({ type: 'string', format: 'byte' }),
  Json: () => ({ 'x-kubernetes-preserve-unknown-fields': true }),
  JsonObject: anyObject,
  RawExtension: anyObject,
  EmptyObject: () => ({ type: 'object' }),
  EmbeddedObjectMeta: () => ({
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

/** EmbeddedResource without an argument, or with the base of all objects. */
export const embeddedAnything = (): JSONSchemaProps => ({
  ...anyObject(),
  'x-kubernetes-embedded-resource': true,
});

/** The utility types that are lists of their first argument. */
export const listUtilityTypes: Readonly<Record<string, 'map' | 'set' | 'atomic'>> = {
  ListMap: 'map',
  ListSet: 'set',
  AtomicList: 'atomic',
};

/** The utility types that are their first argument, and say something about it. */
export const adjustingUtilityTypes: Readonly<Record<string, Adjustment['kind']>> = {
  AtomicMap: 'atomic',
  AtomicObject: 'atomic',
  EmbeddedResource: 'embedded',
  ExactlyOneOf: 'choice',
  AtMostOneOf: 'choice',
  AtLeastOneOf: 'choice',
};
