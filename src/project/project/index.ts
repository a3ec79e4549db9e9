/**
 * The PROJECT file, the resources that it lists, the names that Kubernetes allows, and the layout, which is the paths of all files in a
 * project. This module reads and edits text; commands and the scaffold module decide which text is written.
 */
export { projectCodes } from './codes.ts';
export { editYaml } from '../../kubernetes/yaml/index.ts';
export {
  controllerFile,
  LAYOUT_KEY,
  layout,
  relativeImport,
  userAccesses,
  type ControllerId,
} from './layout.ts';
export {
  camelCase,
  checkKindName,
  checkLabel,
  checkPlural,
  checkProjectName,
  checkSubdomain,
  checkTextLine,
  checkVersion,
  checkWebhookPath,
  groupWithoutDomain,
  kebabCase,
  pascalCase,
  projectNameFromFolder,
  type NameCheck,
} from './names.ts';
export {
  addCommand,
  detectPackageManager,
  packageManagersIn,
  projectPackageManager,
  shownCommand,
  unlistedPackage,
  type PackageManager,
} from './package-manager.ts';
export { workspaceRootOf } from './workspace-root.ts';
export { defaultPlural } from '../../base/util/kubernetes-words.ts';
export {
  addController,
  addResource,
  forgetTemplates,
  loadProject,
  newProjectFile,
  recordedTemplates,
  recordTemplates,
  removeResource,
  setProjectFlag,
  setWebhooks,
  type LoadedProject,
  readForeignProject,
  readProject,
  enterResource,
} from './project-file.ts';
export {
  commandRecord,
  isLeftOut,
  recordCommand,
  recordedCommands,
  recordLeftOut,
  type GivenFlags,
  type RecordedCommand,
} from './recorded-commands.ts';
export { filesWithParts, recordedParts, recordParts } from './recorded-parts.ts';
export { projectReader, type Project } from './project-reader.ts';
export {
  readBytesOf,
  readFileOf,
  controllerNames,
  CORE_GROUP,
  defaultControllerName,
  hasController,
  isSameKind,
  fullGroup,
  type ProjectResource,
  type ProjectWebhooks,
} from './read-file.ts';
