/**
 * Kubernetes' built-in types as data: their canonical schemas by type name, with everything that merging
 * (kustomize), checking (build) and embedding into CRDs (schema) need to know. `generated/` is made by
 * scripts/generate-k8s.mjs and never reaches an operator. `releases/` knows how types looked in earlier releases.
 */
export {
  kindsInTables,
  tableNameOf,
  tableNameOfKind,
  type BuiltInKind,
  tableTypesOf,
  type TableType,
  tableSchema,
  type StructuralSchema,
} from './names.ts';
export { fieldSetsOf, tableNamesEverOf } from './releases/field-sets.ts';
export { expandedSchema, structuralSchema, SchemaTableError } from './structural-schema.ts';
