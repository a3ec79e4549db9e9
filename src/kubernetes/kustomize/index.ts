/**
 * Renders kustomizations without the kustomize program. Supports the features that scaffolded projects and usual changes of them need, and
 * produces the same objects as kustomize 5. Refuses all other features, and reports all findings at once. test/peers/kustomize compares the
 * results with the results of kustomize.
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
