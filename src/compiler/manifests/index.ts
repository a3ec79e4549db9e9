/**
 * Generates the manifests from the sources: CustomResourceDefinitions from `defineResource` and its interface; the operator's role from
 * client calls, controllers and `rbac`; webhook configurations from `defineWebhook`; conversions from `defineConversion`. Checks everything
 * before it returns anything. Documents are plain JSON; the commands write them to files. All TypeScript is read through the `schema`
 * folder.
 */
export { manifestsCodes } from './codes.ts';
export {
  generateManifests,
  type GeneratedManifests,
  type ManifestFile,
  type ManifestOptions,
} from './generate-manifests.ts';
export { judgeUsedKind, knownApis, type KnownApis, type NamedKind } from './used-kinds.ts';
export {
  describeKinds,
  type KindDescription,
  explainPermissions,
  type ExplainedPermissions,
} from './describe-kinds.ts';
export { readFieldManagers, type AppliedKind, type FieldManagers } from './field-managers.ts';
export type { NeededRule, RuleOrigin, PolicyRule } from './rbac/needed-rule.ts';
export { crdFieldLocator } from './locate-crd-field.ts';
export { projectKinds, type DeclaredKind, type ProjectKinds } from './project-kinds.ts';
export { type UsedKind } from './declarations.ts';
export { readMonitored, type AuthorMetric, type MonitoredProject } from './metrics/read-monitored.ts';

export {
  copyVersion,
  readVersionSources,
  storedVersion,
  versionsOfKind,
  type VersionSource,
  type VersionSources,
  FileEdits,
  type EditedFile,
} from './versions/version-sources.ts';
export {
  importersOf,
  moveController,
  addToVersionOrder,
  moveStorage,
  stateStorage,
} from './versions/move-storage.ts';
export { throughCache } from './cache/through-cache.ts';
export {
  accessLines,
  accessSummaryText,
  grantJson,
  describeGrant,
  describeVerbs,
  diffAccess,
  summarizeAccess,
  renderAccessMarkdown,
  renderAccessText,
  type AccessChange,
} from './permissions/diff-access.ts';
export {
  needsOf,
  needsByRule,
  needsJson,
  renderNeeds,
  targetText,
  type Need,
} from './permissions/explain-rules.ts';
export {
  type Permission,
  covers,
  isOpenEnded,
  simplify,
  type Grant,
  coveredBy,
  targetKey,
  grantsOf,
} from './permissions/grant.ts';
export { readAccess, accessTitle, type AccessObject } from './permissions/read-access.ts';
export { checkPath, checkWebhook } from './webhook/rules/check-configuration.ts';
