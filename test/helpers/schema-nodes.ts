import type { JSONSchemaProps } from '../../src/compiler/schema/index.ts';
import type { Origin, SchemaNode } from '../../src/compiler/schema/schema-node.ts';

/**
 * A schema as the generator knows it part by part.
 *
 * @param originOf where a part comes from
 */
export function schemaNode(
  schema: JSONSchemaProps,
  originOf: (part: JSONSchemaProps) => Origin | undefined = () => undefined,
): SchemaNode {
  const { properties = {}, items, additionalProperties } = schema;
  const nodeOf = (part: JSONSchemaProps): SchemaNode => schemaNode(part, originOf);
  return {
    schema,
    origin: originOf(schema),
    kind: {},
    parts: {
      properties: new Map(Object.entries(properties).map(([name, part]) => [name, nodeOf(part)])),
      items: items && nodeOf(items),
      values: typeof additionalProperties === 'object' ? nodeOf(additionalProperties) : undefined,
    },
  };
}
