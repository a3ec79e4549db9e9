/**
 * Validates objects like the API server, in one pass over the value and its schema. Reports errors with the messages of the API server
 * (`schemaErrors`) or of op-sdk (`misfit`). Also sets defaults, prunes unknown fields, and checks formats and patterns of texts, names,
 * labels and metadata. Independent of YAML, definitions and clusters.
 */
export { embeddedErrors, visitEmbedded, listTypeErrors } from './structural.ts';
export { fillDefaults, prune, removeNulls } from './defaulting.ts';
export {
  limitText,
  type Fault,
  type FaultRule,
  type ValuePath,
  duplicateValue,
  forbiddenValue,
  invalidType,
  invalidValue,
  required,
  tooLong,
  unsupportedValue,
  wholeObject,
  type FieldError,
} from './fault.ts';
export {
  fieldPathText,
  FieldSet,
  fieldSetFault,
  fieldStep,
  memberAt,
  pathElementOf,
  withoutFields,
  type Step,
} from './field-set.ts';
export {
  clone,
  goJson,
  isObject,
  listOf,
  objectOf,
  type Json,
  type JsonObject,
  type JsonValue,
} from './json.ts';
export { applyJsonPatchStep, JsonPatchError, readJsonPatchStep, type JsonPatchStep } from './json-patch.ts';
export { defaultMisfit, misfit, writtenFaults } from './misfit.ts';
export {
  dns1035Problems,
  kindProblem,
  label1035Problem,
  label1123Problem,
  labelProblems,
  labelValueProblem,
  labelValueProblems,
  nameSchemas,
  pathSegmentProblems,
  qualifiedNameProblem,
  qualifiedNameProblems,
  subdomainProblem,
  subdomainProblems,
} from './names.ts';
export {
  annotationErrors,
  foregroundFinalizer,
  labelErrors,
  metadataErrors,
  metadataUpdateErrors,
  objectMetaSchema,
  orphanFinalizer,
  type NameRule,
} from './object-meta.ts';
export { patternFinds, patternMatches, patternProblem, fitsFormat, isKnownFormat } from './formats.ts';
export {
  crdSchemaFields,
  fieldSchema,
  hasDefault,
  isOpen,
  refusedSchemaFields,
  valueSchema,
  type JSONSchemaProps,
  type Schema,
  type ValidationRule,
} from './schema.ts';
export { schemaErrors, type Ratchet } from './validate.ts';
