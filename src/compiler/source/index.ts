/**
 * Reads the user's sources and never runs them. Loads one program for all kinds, controllers and declarations (`loadProgram`), compiled
 * with op-sdk's own TypeScript and options. Evaluates the constants in the calls that declare something (`readDeclarations`). Each value
 * keeps the place where it is written. A value that is not visible in the source becomes a finding and is never guessed. The modules in
 * `edit/` change sources by replacing ranges of their text. Only this folder loads the TypeScript compiler and ts-json-schema-generator.
 */
export {
  loadSchemaEngine,
  type SchemaEngine,
  type TypeScript,
  placeInProject,
  projectPath,
  type SourceTexts,
} from './program/compiler.ts';
export { isProjectFile, loadProgram, type LoadOptions, type SourceProgram } from './program/load.ts';
export { ownPath, type ProjectBoundary } from './program/project-boundary.ts';
export { importedFiles } from './program/imported-files.ts';
export { unlistedImports, type UnlistedImport } from './program/unlisted-imports.ts';
export { createSourceMemory, type SourceMemory } from './program/source-memory.ts';
export { builtInToken } from './evaluate/built-in-token.ts';
export { evaluate } from './evaluate/evaluate.ts';
export { withoutTypeSyntax, isFunctionProperty } from './evaluate/tokens.ts';
export { placeOf } from './evaluate/evaluate-context.ts';
export {
  readDeclarations,
  type ManifestCall,
  type ProjectDeclarations,
  type ResourceDeclaration,
  type SimpleDeclaration,
  type WebhookDeclaration,
} from './evaluate/evaluate-project.ts';
export {
  readMetricDeclarations,
  type MetricDeclaration,
  type MetricType,
} from './evaluate/metric-declarations.ts';
export type { ConversionDeclaration, DeclaredSpoke } from './evaluate/conversion-chains.ts';
export {
  isSchemaExport,
  placeOfSchema,
  type SchemaExport,
  schemaField,
  type SchemaFieldNode,
} from './evaluate/schema-export.ts';
export { jsonOf, partAt, partsWithPlaces, placeAt, resourceJson } from './evaluate/evaluated-json.ts';
export {
  opaqueParts,
  type Evaluated,
  type EvaluatedProperty,
  type SourcePlace,
  type TokenInfo,
} from './evaluate/evaluated-value.ts';
export { moduleTokens, type ExportedToken } from './evaluate/module-tokens.ts';
export {
  bodyFields,
  fileImports,
  leadsTo,
  relativeImports,
  type ModuleSource,
  applyTextEdits,
  type TextEdit,
} from './edit/imports.ts';
export { unusedDeclarations } from './evaluate/unused-declarations.ts';
export { renameImports, type RenamedExport } from './edit/rename-imports.ts';
export { registrationsOf } from './edit/registrations.ts';
export { resourceEdits, textsIn } from './edit/object-property.ts';
export { addSpokes, addWebhookOptions, removeSpoke, type Spliced } from './edit/webhook-edits.ts';
