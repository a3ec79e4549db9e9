/**
 * The PROJECT file, the resources it lists, the names that Kubernetes allows, and the layout: where everything in a
 * project lies. Reads and edits text; commands and the scaffold room decide what is written.
 */
export { editYaml } from '../yaml/edit-yaml.ts';
export { layout, relativeImport, userAccesses } from './layout.ts';
export {
  camelCase,
  checkKindName,
  checkLabel,
  checkPlural,
  checkProjectName,
  checkSubdomain,
  checkTextLine,
  checkVersion,
  kebabCase,
  pascalCase,
  projectNameFromFolder,
  type NameCheck,
} from './names.ts';
export { detectPackageManager, type PackageManager } from './package-manager.ts';
export { defaultPlural } from '../util/plural.ts';
export {
  addResource,
  loadProject,
  newProjectFile,
  recordedTemplates,
  recordTemplates,
  setController,
  type LoadedProject,
} from './project-file.ts';
export { readForeignLayout, readProject } from './project-schema.ts';
export { readFileOf } from './read-file.ts';
export { fullGroup, type ProjectResource } from './resource.ts';
