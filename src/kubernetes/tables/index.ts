/**
 * Kubernetes' built-in types as data: maps type names to their schemas. The schemas contain all information that is needed to merge objects
 * (kustomize), to check them (build), and to embed types into CRDs (schema). `generated/` is created by scripts/generate-k8s.mjs and is
 * never part of an operator. `releases/` contains the field names of types in earlier Kubernetes releases.
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
export { normalizeGoJson } from './go-json.ts';
export { fieldSetsOf, tableNamesEverOf } from './releases/field-sets.ts';
export { expandedSchema, structuralSchema, SchemaTableError } from './structural-schema.ts';
