/**
 * Kubernetes' built-in types as data: maps type names to their canonical schemas. The schemas contain all information that merging
 * (kustomize), checking (build) and embedding into CRDs (schema) need. `generated/` is created by scripts/generate-k8s.mjs and is never
 * part of an operator. `releases/` contains the field names of types in earlier Kubernetes releases.
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
