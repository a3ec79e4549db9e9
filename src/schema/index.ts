/**
 * From TypeScript to the CRD's schema: the sources are loaded once with our own compiler (`loadProgram`), ts-json-schema-generator and our
 * parsers turn the interface of a kind into shapes, `structural.ts` turns shapes into a structural schema, and a guard compares the result
 * with what the type checker says. At last the schema is judged as the API server judges it (`crd/rules/schema`, which the bundle room
 * uses for the CRDs of others) and lints give advice. Nothing is guessed: what cannot be expressed exactly is a finding with its place and
 * a fix.
 * The only room that loads TypeScript.
 */
export { isProjectFile, loadProgram, type LoadOptions, type SourceProgram } from '../source/program/load.ts';
export { createSourceMemory, type SourceMemory } from '../source/program/source-memory.ts';
export type { SourceTexts } from '../source/program/source-texts.ts';
export type { TypeScript } from '../source/program/compiler.ts';
export {
  readDeclarations,
  type ManifestCall,
  type ProjectDeclarations,
  type ResourceDeclaration,
  type SimpleDeclaration,
} from '../source/evaluate/evaluate-project.ts';
export { unusedControllers, type UnusedController } from '../source/evaluate/unused-controllers.ts';
export {
  describeEvaluated,
  opaqueParts,
  type Evaluated,
  type EvaluatedProperty,
  type SourcePlace,
  type TokenInfo,
} from '../source/evaluate/evaluated-value.ts';
export { generateSchema, type GeneratedSchema, type SchemaOptions } from './generate-schema.ts';
export type { TaggedPath } from './tagged-fields.ts';
export { wrappedStandardFields, type StandardField, type StandardFields } from './root-schema.ts';
export { resourceAllows, type ResourceAllows } from './resource-allows.ts';
export type { SchemaPath } from '../crd/rules/schema/index.ts';
export type { JsonValue, JSONSchemaProps, ValidationRule } from '../crd/json-schema-props.ts';
export type { FieldColumn } from './printer-columns.ts';
