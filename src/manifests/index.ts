/**
 * The manifests that follow from the sources: CustomResourceDefinitions from `defineResource` and its interface, the
 * operator's role from controllers and `rbac`. Everything is checked before anything is returned; documents are plain
 * JSON, and writing them is the command's work. Reads TypeScript only through the schema room.
 */
export {
  generateManifests,
  type GeneratedManifests,
  type ManifestFile,
  type ManifestOptions,
} from './generate-manifests.ts';
export { crdFieldLocator } from './locate-crd-field.ts';
export { projectKinds, type DeclaredKind, type ProjectKinds, type UsedKind } from './project-kinds.ts';
