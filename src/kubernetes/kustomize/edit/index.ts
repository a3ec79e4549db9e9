/**
 * Edits of kustomizations by splices of their text: comments, order and style of everything else stay.
 */
export { addResources } from './add-resources.ts';
export { findKustomization } from './find-kustomization.ts';
export { parseImageChange, type ImageChange } from './image-change.ts';
export { setField } from './set-field.ts';
export { setImages } from './set-images.ts';
