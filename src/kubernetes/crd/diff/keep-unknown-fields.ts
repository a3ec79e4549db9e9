import { isJsonMap, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { Schema } from './schema-node.ts';

/** Says in a schema what `spec.preserveUnknownFields: true` says beside it: no object is pruned. */
export function keepUnknownFields(schema: Schema): Schema {
  const { items, additionalProperties } = schema;
  const properties = Object.entries(jsonMapOf(schema['properties'])).map(
    ([name, field]) => [name, keepUnknownFields(jsonMapOf(field))] as const,
  );
  const isOpen = ['object', ''].includes(jsonTextOf(schema['type'])) && !isJsonMap(additionalProperties);
  return {
    ...schema,
    ...(isOpen && schema['x-kubernetes-int-or-string'] !== true
      ? { 'x-kubernetes-preserve-unknown-fields': true }
      : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(isJsonMap(items) ? { items: keepUnknownFields(items) } : {}),
    ...(isJsonMap(additionalProperties)
      ? { additionalProperties: keepUnknownFields(additionalProperties) }
      : {}),
  };
}
