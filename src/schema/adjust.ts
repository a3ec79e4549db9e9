import type { JSONSchemaProps } from './json-schema-props.ts';
import type { Adjustment, Problem, Shape } from './shape.ts';

/**
 * Writes what the utility types around a shape say into its schema.
 *
 * @param label the field, for messages
 * @returns what is wrong with the arguments of the utility types
 */
export function adjust(schema: JSONSchemaProps, { adjustments = [] }: Shape, label: string): Problem[] {
  return adjustments.flatMap((adjustment) => {
    const problem = problemOf(schema, adjustment);
    if (problem !== undefined) {
      const [message, fix] = problem;
      return [{ code: 'schema/utility-type' as const, message: `${label}: ${message}`, fix: [fix] }];
    }
    write(schema, adjustment);
    return [];
  });
}

type Complaint = readonly [message: string, fix: string];

function problemOf(schema: JSONSchemaProps, { kind, name }: Adjustment): Complaint | undefined {
  if (schema.type !== 'object')
    return [`${name} is about objects`, `take ${name} away, or correct its argument`];
  const isRecord = schema.additionalProperties !== undefined;
  if (kind !== 'embedded' || !isRecord) return undefined;
  return [
    'a record cannot be a whole resource',
    "use EmbeddedResource without an argument for any kind, or give it the kind's interface",
  ];
}

function write(schema: JSONSchemaProps, adjustment: Adjustment): void {
  if (adjustment.kind === 'atomic') {
    schema['x-kubernetes-map-type'] = 'atomic';
    return;
  }
  schema['x-kubernetes-embedded-resource'] = true;
  if (!adjustment.isResource) return;
  schema.properties = {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    ...schema.properties,
    // The API server knows what metadata is, and accepts no other schema for it.
    metadata: { type: 'object' },
  };
}
