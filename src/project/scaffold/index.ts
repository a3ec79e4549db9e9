/**
 * Turns templates into files. Contains the template engine and the tree of templates, plans of file changes and the executor of plans,
 * edits of users' files (at markers, or of parts of YAML), and the sets of files that `init` and `create api` create. Only `applyPlan`
 * changes files; everything up to the plan is pure.
 */
export { scaffoldCodes } from './codes.ts';
export {
  keepEdited,
  changeFor,
  planFiles,
  type WantedFile,
  withoutIdleRecord,
  isSameText,
  type FilePlan,
  type FileChange,
  contentHash,
} from './plan-files.ts';
export { keepLineEnds, mergeText, type MergedText, type TextVersions } from './merge-text.ts';
export { withDevDependency } from './dev-dependency.ts';
export { defaultBaseImage, fastCheckRange, nodeChoice, operatorStart } from './node-choice.ts';
export { opsdkDependency } from './opsdk-dependency.ts';
export { apiEdits, apiFiles, controllerEntry, reservedKinds, type ApiInput } from './sets/api.ts';
export { headerFile, readHeader, withLicense, licenses, type License } from './sets/license.ts';
export { controllerCodeNames } from './sets/controller-names.ts';
export { ciConfigText } from './sets/publish.ts';
export { type Markup, renderPreview } from './sets/preview.ts';
export {
  foreignEdits,
  foreignFiles,
  type ForeignInput,
  manifestsOf,
  removalEdits,
  type ApiRemoval,
} from './sets/foreign.ts';
export { initFiles, manifestsFiles, bundleDockerfileText } from './sets/bundle.ts';
export { scopeEdits } from './sets/namespaced.ts';
export {
  conversionFiles,
  conversionNames,
  spokeText,
  webhookFiles,
  webhookNames,
  webhookOptions,
  type ConversionSpoke,
  type WebhookInput,
  type WebhookNames,
} from './sets/webhook.ts';
export {
  caRule,
  certProviderOf,
  certProviders,
  missingFile,
  webhookState,
  wiringEdits,
  wiringFiles,
  type CertProvider,
} from './sets/webhook-wiring.ts';
export { renderSet, templatesRoot, type RenderedFile } from './template-tree.ts';
export type { ReadFile } from './sets/api.ts';
export { prepareTemplate, render, type JsonValue, type TemplateModel } from './engine.ts';
export { resolveInside, type JournalPlace } from './journal.ts';
export {
  renderMachineDocument,
  isMachineDocument,
  fitsMachineTemplate,
  renderPermissions,
} from './machine-document.ts';
export { isInside, projectAround, withProjectLock } from './project-lock.ts';
export type { Recovery } from './recover.ts';
export { applyPlan } from './writer.ts';
