import { tableSchema } from '../../kubernetes/tables/index.ts';
import { amountSchema, typeRules, type JsonSchema } from './type-rules.ts';

type TableSchema = NonNullable<ReturnType<typeof tableSchema>>;

const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/**
 * Returns the schema of a Kubernetes type, including the API server's rules for its values. The schema refuses unknown fields.
 *
 * @param type name of a type of the core group, such as `Affinity`
 */
export function kubernetesSchema(type: string): JsonSchema {
  return { ...schemaOfType(`io.k8s.api.core.v1.${type}`), description: `${type} of Kubernetes` };
}

function schemaOfType(name: string): JsonSchema {
  if (name === quantity) return amountSchema;
  const table = tableSchema(name);
  if (table === undefined) throw new TypeError(`${name}: expected a type of Kubernetes`);
  const { fields = {}, without = [], ...more } = typeRules[name.split('.').at(-1) ?? ''] ?? {};
  const schema = jsonSchema(table);
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>)
    .filter(([field]) => !without.includes(field))
    .map(([field, property]) => [field, { ...property, ...fields[field] }] as const);
  return { ...schema, properties: Object.fromEntries(properties), ...more };
}

function jsonSchema(table: TableSchema): JsonSchema {
  const { $ref, type, properties, items, additionalProperties, required, minimum, knownValues } = table;
  if ($ref !== undefined) return schemaOfType($ref);
  return defined({
    ...{ type, required, minimum, enum: knownValues },
    items: items === undefined ? undefined : jsonSchema(items),
    properties:
      properties === undefined
        ? undefined
        : Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, jsonSchema(each)])),
    additionalProperties:
      additionalProperties === undefined
        ? properties === undefined
          ? undefined
          : false
        : jsonSchema(additionalProperties),
  });
}

function defined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
