import { descriptions } from './generated/descriptions.ts';
import { schemas } from './generated/schemas.ts';
import type { TableSchema } from './types.ts';

const parsed = new Map<string, TableSchema>();

/**
 * A built-in type as the API server describes it, with references to other types and patch strategies: what merging and
 * checking objects needs. Frozen by convention: it is shared.
 *
 * @param name the table's name, such as `io.k8s.api.core.v1.Container`
 * @returns undefined for a name that the table does not have
 */
export function tableSchema(name: string): TableSchema | undefined {
  const known = parsed.get(name);
  if (known !== undefined || !Object.hasOwn(schemas, name)) return known;
  const schema = JSON.parse(schemas[name] ?? '') as TableSchema;
  parsed.set(name, schema);
  return schema;
}

/** The descriptions of a type (under the empty key) and of its fields; empty for a name that the table does not have. */
export function tableDescriptions(name: string): Readonly<Record<string, string>> {
  return Object.hasOwn(descriptions, name)
    ? (JSON.parse(descriptions[name] ?? '') as Record<string, string>)
    : {};
}
