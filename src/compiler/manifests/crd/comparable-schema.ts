import type { JSONSchemaProps } from '../../schema/index.ts';

/** Keywords whose values are data, not schemas. */
const data = new Set(['default', 'example', 'enum']);

/** A text that two schemas have in common if they differ at most in descriptions and in the order of their fields. */
export function comparableSchema(schema: JSONSchemaProps): string {
  return JSON.stringify(comparable(schema, false));
}

/** @param isMap the keys are names of fields */
function comparable(value: unknown, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => comparable(item, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([key]) => isMap || key !== 'description')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]: [string, unknown]) => [
      key,
      !isMap && data.has(key) ? part : comparable(part, !isMap && key === 'properties'),
    ]);
}
