/**
 * From templates to files: the template engine and the tree of templates, plans of file changes and their executor,
 * edits of users' files at markers and by YAML splices, and the sets that `init` and `create api` are made of.
 * Pure up to the plan; `applyPlan` alone changes files.
 */
export { licenses, type License } from './boilerplate.ts';
export { keepEdited } from './keep-edited.ts';
export { opsdkDependency } from './opsdk-dependency.ts';
export { changeFor, planFiles, type WantedFile } from './plan-files.ts';
export type { FilePlan } from './plan.ts';
export { apiEdits, apiFiles, reservedKinds, type ApiInput } from './sets/api.ts';
export { initFiles } from './sets/init.ts';
export { contentHash } from './template-tree.ts';
