/**
 * Reads, checks and compares CustomResourceDefinitions. `document/` reads definitions of v1 and v1beta1, converts v1beta1 to v1 like the
 * API server, and normalises definitions. `rules/` contains the pure function `checkCrd`, which returns the violations of a document, each
 * with a code and its path in the document. `diff/` finds breaking changes and the affected parties. The functions in `rules/` do not know
 * source locations. The caller looks them up afterwards, in TypeScript, in YAML, or on a cluster.
 */
export { crdCodes, diffCodes } from './codes.ts';
export { checkCrd } from './rules/check-crd.ts';
export { type FieldPath, type Violation, sizeOf } from './rules/violation.ts';
export { type CrdDocument, type CrdVersion, placed, type PlacedViolations } from './document/crd-document.ts';
export {
  compareCrds,
  normalizeCrd,
  normalizeSchema,
  ownMetadata,
  type CrdDifference,
} from './document/normalize-crd.ts';
export {
  crdsOf,
  readCrds,
  uniqueCrds,
  type ReadCrd,
  type ReadCrds,
  type SourceDocument,
} from './document/read-crds.ts';
export { hasCelName, celName, celTypeOf } from './cel/cel-type.ts';
export { celNames, celSyntaxProblem } from './cel/cel-syntax.ts';
export {
  hasCelRules,
  isUnsupportedRule,
  ruleErrors,
  rulesOf,
  type CompiledRules,
  type RuleVerdict,
} from './evaluate/index.ts';
export { celTokens, hasCelComment } from './cel/cel-tokens.ts';
export {
  severities,
  type ChangeCode,
  type Severity,
  changeCodes,
  ratchetingNote,
} from './diff/change-codes.ts';
export { type CrdChange, placeOfChange, conversionNote } from './diff/change.ts';
export type { Definition } from './diff/definition.ts';
export { diffCrds } from './diff/diff-crds.ts';
export { readDefinitions, type PlacedDocument } from './diff/read-definitions.ts';
export {
  readWaivers,
  waiveChanges,
  type Waiver,
  codeFix,
  isChangeCode,
  crdDiffReader,
  waiversReader,
  type Severities,
} from './diff/waivers.ts';
export {
  renderMarkdown,
  renderText,
  isDocumentation,
  summarize,
  summaryText,
  reasonOf,
} from './diff/render-changes.ts';
export { storageLosses } from './diff/version-loss.ts';
export { fromV1beta1 } from './document/v1beta1.ts';
export { servicePathProblem } from './rules/conversion.ts';
export { checkForms, type SchemaPath } from './rules/schema/check-forms.ts';
export { besideStatus } from './rules/schema/check-root.ts';
export { checkSchema } from './rules/schema/index.ts';
export {
  type JsonValue,
  type JSONSchemaProps,
  type ValidationRule,
  crdSchemaFields,
} from '../objects/index.ts';
