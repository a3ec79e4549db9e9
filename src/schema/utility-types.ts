import type { JSONSchemaProps } from './json-schema-props.ts';

/** Source: apimachinery `resource.Quantity` as controller-gen writes it. */
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const intOrString = (): JSONSchemaProps => ({
  // The API server wants this order.
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
});

/** Source of the constraints: apimachinery `metav1.Condition` and its kubebuilder markers. */
function condition(): JSONSchemaProps {
  return {
    description: "One aspect of the object's state.",
    type: 'object',
    required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: {
        description: 'When the status last changed from one value to another.',
        type: 'string',
        format: 'date-time',
      },
      message: {
        description: 'Details of the last change, for people. May be empty.',
        type: 'string',
        maxLength: 32768,
      },
      observedGeneration: {
        description:
          'The metadata.generation that the condition was set for. If it is less than the current one, the condition is out of date.',
        type: 'integer',
        format: 'int64',
        minimum: 0,
      },
      reason: {
        description: 'Why the status last changed: an identifier in CamelCase, for programs.',
        type: 'string',
        maxLength: 1024,
        minLength: 1,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      },
      status: {
        description: 'True, False or Unknown.',
        type: 'string',
        enum: ['True', 'False', 'Unknown'],
      },
      type: {
        description: 'Which aspect: CamelCase or foo.example.com/CamelCase.',
        type: 'string',
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      },
    },
  };
}

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
  JsonObject: () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
  Condition: condition,
};

/** The utility types that are lists of their first argument. */
export const listUtilityTypes: Readonly<Record<string, 'map' | 'set' | 'atomic'>> = {
  ListMap: 'map',
  ListSet: 'set',
  AtomicList: 'atomic',
};
