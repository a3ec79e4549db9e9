import { structuralSchema, type StructuralSchema } from '../../kubernetes/tables/index.ts';

/** A JSON schema of draft 7, which Helm reads. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Matches what `resource.ParseQuantity` of apimachinery accepts. */
const quantity = String.raw`^[+-]?(\d+|\d+\.\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$`;

/** Values that the API server demands in fields which its schema calls texts, by type and field. Source: pkg/apis/core/validation. */
const enumerations: Readonly<Record<string, readonly string[]>> = {
  'Toleration.operator': ['', 'Exists', 'Equal', 'Lt', 'Gt'],
  'Toleration.effect': ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  'TopologySpreadConstraint.whenUnsatisfiable': ['DoNotSchedule', 'ScheduleAnyway'],
  'TopologySpreadConstraint.nodeAffinityPolicy': ['Honor', 'Ignore'],
  'TopologySpreadConstraint.nodeTaintsPolicy': ['Honor', 'Ignore'],
};

/**
 * Returns the schema of a type of Kubernetes, in which fields that do not exist are refused.
 *
 * @param type of the core group: `Affinity`
 */
export function kubernetesSchema(type: string): JsonSchema {
  const schema = jsonSchema(structuralSchema(`io.k8s.api.core.v1.${type}`, { descriptions: false }));
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>).map(
    ([field, property]) => {
      const allowed = enumerations[`${type}.${field}`];
      return [field, allowed === undefined ? property : { ...property, enum: allowed }] as const;
    },
  );
  return { ...schema, description: `${type} of Kubernetes`, properties: Object.fromEntries(properties) };
}

function jsonSchema(schema: StructuralSchema): JsonSchema {
  const { type, properties, items, additionalProperties, required, minimum, minLength, pattern } = schema;
  const { enum: allowed, 'x-kubernetes-int-or-string': isIntOrString } = schema;
  if (isIntOrString === true) return pattern === undefined ? { type: ['integer', 'string'] } : amount;
  const isClosed = properties !== undefined && additionalProperties === undefined;
  return defined({
    ...{ type, required, minimum, minLength, pattern, enum: allowed },
    items: items === undefined ? undefined : jsonSchema(items),
    properties:
      properties === undefined
        ? undefined
        : Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, jsonSchema(each)])),
    additionalProperties: isClosed
      ? false
      : typeof additionalProperties === 'object'
        ? jsonSchema(additionalProperties)
        : undefined,
  });
}

const amount: JsonSchema = { anyOf: [{ type: 'number' }, { type: 'string', pattern: quantity }] };

function defined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
