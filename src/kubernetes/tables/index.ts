/**
 * Kubernetes' built-in types as data: their canonical schemas by type name, with everything that merging
 * (kustomize), checking (build) and embedding into CRDs (schema) need to know. `generated/` is made by
 * scripts/generate-k8s.mjs and never reaches an operator. `releases/` knows how types looked in earlier releases.
 */
export { kindsInTables, tableNameOf, tableNameOfKind, type BuiltInKind } from './names.ts';
export { fieldSetsOf, tableNamesEverOf } from './releases/field-sets.ts';
export { tableSchema } from './table-schema.ts';
export { tableTypesOf, type TableType } from './type-names.ts';
export { structuralSchema } from './structural-schema.ts';
export { SchemaTableError } from './schema-table-error.ts';
export type { StructuralSchema } from './types.ts';
