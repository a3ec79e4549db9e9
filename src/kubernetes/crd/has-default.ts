import type { JsonMap } from '../../base/util/json-map.ts';

/**
 * Returns true if a schema has a default. A default of null is none: the API server cannot tell it from an absent one.
 * Source: apiextensions `Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps`.
 */
export function hasDefault(schema: JsonMap): boolean {
  return schema['default'] !== undefined && schema['default'] !== null;
}
