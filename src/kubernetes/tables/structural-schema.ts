import { inlineSchema } from './inline-schema.ts';
import { tableDescriptions, tableSchema } from './table-schema.ts';
import type { StructuralSchema } from './types.ts';

export interface StructuralSchemaOptions {
  /** Keep the descriptions of the type and of all fields. They make the schema of a PodTemplateSpec four times as long. */
  readonly descriptions: boolean;
}

/**
 * A built-in type as a schema for a CRD, as controller-gen would write it: references inlined, patch strategies dropped,
 * validation from the Go types' markers included (Condition), enums of the server's version left out.
 *
 * @param name the table's name, such as `io.k8s.api.core.v1.PodTemplateSpec`; see `tableNameOf`
 * @returns a new object, the caller's own
 * @throws SchemaTableError for a type that does not exist, contains itself, or is not structural
 */
export function structuralSchema(name: string, options: StructuralSchemaOptions): StructuralSchema {
  return inlineSchema(name, {
    schema: tableSchema,
    descriptions: options.descriptions ? tableDescriptions : () => ({}),
  });
}
