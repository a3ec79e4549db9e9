/**
 * From templates to files: the template engine and the tree of templates, plans of file changes and their executor,
 * edits of users' files at markers and by YAML splices, and the sets that `init` and `create api` are made of.
 * Pure up to the plan; `applyPlan` alone changes files.
 */
export { boilerplate, licenses, spdxOf, type License } from './boilerplate.ts';
export { render, TemplateError, variablesOf, type JsonValue, type TemplateModel } from './engine.ts';
export { renderMachineDocument } from './machine-document.ts';
export { insertAtMarker } from './markers.ts';
export { opsdkDependency, type OpsdkDependency } from './opsdk-dependency.ts';
export { planFiles, type PlanFilesOptions, type WantedFile } from './plan-files.ts';
export type { FileChange, FilePlan } from './plan.ts';
export {
  apiEdits,
  apiFiles,
  apiModel,
  pathNames,
  reservedKinds,
  type ApiInput,
  type ReadFile,
} from './sets/api.ts';
export { initFiles, initModel, type InitInput } from './sets/init.ts';
export {
  contentHash,
  renderSet,
  templateSets,
  templatesOf,
  templatesRoot,
  type RenderedFile,
  type TemplateSet,
} from './template-tree.ts';
export { imageNode, nodeEngine, toolVersions } from './versions.ts';
export { applyPlan } from './writer.ts';
