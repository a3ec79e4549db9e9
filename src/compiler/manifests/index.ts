/**
 * The manifests that follow from the sources: CustomResourceDefinitions from `defineResource` and its interface, the
 * operator's role from the calls in its code, its controllers and `rbac`, webhook configurations from `defineWebhook`, conversions from
 * `defineConversion`. Everything is checked before anything is returned; documents are plain
 * JSON, and writing them is the command's work. Reads TypeScript only through the schema room.
 */
export {
  generateManifests,
  type GeneratedManifests,
  type ManifestFile,
  type ManifestOptions,
} from './generate-manifests.ts';
export { describeKinds, type KindDescription } from './describe-kinds.ts';
export { explainPermissions, type ExplainedPermissions } from './explain-permissions.ts';
export type { NeededRule, RuleOrigin } from './rbac/needed-rule.ts';
export type { PolicyRule } from './rbac/policy-rule.ts';
export { crdFieldLocator } from './locate-crd-field.ts';
export { projectKinds, type DeclaredKind, type ProjectKinds } from './project-kinds.ts';
export { type UsedKind } from './used-kinds.ts';
export { judgeUsedKind, knownApis, type KnownApis, type NamedKind } from './judge-used-kind.ts';
export { copyVersion } from './versions/copy-version.ts';
export { FileEdits, type EditedFile } from './versions/file-edits.ts';
export { importersOf, moveController } from './versions/move-controller.ts';
export { addToVersionOrder, moveStorage, stateStorage } from './versions/move-storage.ts';
export {
  readVersionSources,
  storedVersion,
  versionsOfKind,
  type VersionSource,
  type VersionSources,
} from './versions/version-sources.ts';
