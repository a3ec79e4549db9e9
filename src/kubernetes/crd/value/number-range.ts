import type { JSONSchemaProps } from '../json-schema-props.ts';

/** The range of the schema's number type, by its format. */
export function numberRange(schema: JSONSchemaProps): { readonly least: number; readonly greatest: number } {
  if (schema.type !== 'integer') return { least: -Number.MAX_VALUE, greatest: Number.MAX_VALUE };
  return schema.format === 'int32'
    ? { least: -(2 ** 31), greatest: 2 ** 31 - 1 }
    : { least: Number.MIN_SAFE_INTEGER, greatest: Number.MAX_SAFE_INTEGER };
}
