/**
 * kustomize's language without kustomize: renders the part of it that scaffolds and their usual edits use, object for
 * object as kustomize 5 does, and refuses the rest with all findings at once. Compared with the real one by
 * test/peers/kustomize.
 */
export { kustomizeCodes } from './codes.ts';
export { renderKustomization, type RenderOptions } from './render-kustomization.ts';
export {
  addResources,
  findKustomization,
  parseImageChange,
  setField,
  setImages,
  type ImageChange,
} from './edit/edit-fields.ts';
