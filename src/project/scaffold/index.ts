/**
 * From templates to files: the template engine and the tree of templates, plans of file changes and their executor,
 * edits of users' files at markers and by YAML splices, and the sets that `init` and `create api` are made of.
 * Pure up to the plan; `applyPlan` alone changes files.
 */
export { licenses, type License } from './boilerplate.ts';
export { withDevDependency } from './dev-dependency.ts';
export { keepEdited } from './keep-edited.ts';
export { opsdkDependency } from './opsdk-dependency.ts';
export { changeFor, planFiles, type WantedFile } from './plan-files.ts';
export type { FilePlan } from './plan.ts';
export { apiEdits, apiFiles, controllerEntry, reservedKinds, type ApiInput } from './sets/api.ts';
export { controllerCodeNames } from './sets/controller-id.ts';
export { foreignEdits, foreignFiles, type ForeignInput } from './sets/foreign.ts';
export { manifestsOf, removalEdits, type ApiRemoval } from './sets/remove-api.ts';
export { initFiles } from './sets/init.ts';
export { headerFile, readHeader, withLicense } from './sets/license.ts';
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
  certProviderOf,
  webhookState,
  wiringEdits,
  wiringFiles,
  type CertProvider,
} from './sets/webhook-wiring.ts';
export { contentHash } from './template-tree.ts';
