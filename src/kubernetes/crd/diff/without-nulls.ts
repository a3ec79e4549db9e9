import { isJsonMap } from '../../../base/util/json-map.ts';
import type { Schema } from './schema-node.ts';

/** Keywords whose value is data, in which null means something. */
const data: readonly string[] = ['default', 'example', 'enum'];

/** The schema without keywords that are null, which decode as absent. */
export function withoutNulls(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([, value]) => value !== null)
      .map(([keyword, value]) => [keyword, data.includes(keyword) ? value : inner(value)]),
  );
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner);
  return isJsonMap(value) ? withoutNulls(value) : value;
}
