import { isJsonMap } from '../../../util/json-map.ts';
import type { Schema } from './types.ts';

/**
 * Whether expressions of CEL can reach a value of a schema. They cannot reach a value whose type is not said, such as that of `Json`, nor
 * lists and maps of such values. Source: kube's `apiserver/pkg/cel/common/schemas.go`, SchemaDeclType.
 */
export function hasCelType(schema: Schema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return true;
  const { type, items, additionalProperties } = schema;
  if (type === 'array') return isJsonMap(items) && hasCelType(items);
  if (type === 'object') return !isJsonMap(additionalProperties) || hasCelType(additionalProperties);
  return typeof type === 'string';
}
