/**
 * Converts TypeScript to the schema of a CRD. The sources are loaded once (`source`). ts-json-schema-generator and our parsers turn the
 * interface of a kind into shapes, and `structural.ts` turns shapes into a structural schema. A guard compares the schema with the types of
 * the type checker. Finally, the schema is checked as the API server checks it (`crd/rules/schema`; the bundle module checks CRDs of others
 * with the same rules), and lints give advice. A type that cannot be expressed exactly is never guessed: it becomes a finding with its
 * place and a fix.
 */
export { schemaCodes } from './codes.ts';
export {
  createSourceMemory,
  isProjectFile,
  loadProgram,
  opaqueParts,
  readDeclarations,
  unusedDeclarations,
  type Evaluated,
  type EvaluatedProperty,
  type LoadOptions,
  type ConversionDeclaration,
  type ManifestCall,
  type ProjectBoundary,
  type ProjectDeclarations,
  type ResourceDeclaration,
  type SimpleDeclaration,
  type SourceMemory,
  type SourcePlace,
  type SourceProgram,
  type SourceTexts,
  type TokenInfo,
  type TypeScript,
  type WebhookDeclaration,
} from '../source/index.ts';
export { generateSchema } from './generate-schema.ts';
export {
  type GeneratedSchema,
  type SchemaOptions,
  wrappedStandardFields,
  type StandardField,
  type StandardFields,
  defaultStandardFields,
} from './generated-schema.ts';
export type { FieldDescriptor, KindDescriptors } from './descriptors/kind-descriptors.ts';
export type { TaggedPath } from './tagged-fields.ts';
export { readLibrarySchemas } from './library/read-library-schemas.ts';
export { schemaModule } from './library/bundle-modules.ts';
export { codeAllows, type CodeAllows, resourceAllows, type ResourceAllows } from './code-allows.ts';
export type { SchemaPath, JsonValue, JSONSchemaProps, ValidationRule } from '../../kubernetes/crd/index.ts';
export type { FieldColumn } from './printer-columns.ts';
export { xDescriptorProblem } from './descriptors/x-descriptors.ts';
export { builtInSchema, fixedUtilityTypes, embeddedAnything } from './utility-types.ts';
export { parseCel } from './tags/cel.ts';
export type { SchemaTag } from './tags/tag-names.ts';
export { tagRules } from './tags/tag-rules.ts';
