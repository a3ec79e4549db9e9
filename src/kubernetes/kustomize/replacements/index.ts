/**
 * Replacements of a kustomization: values copied from a field of one resource into fields of others. Types follow
 * kustomize, which moves the text of scalars; where that text would become another type than anyone means, it is refused.
 */
export { applyReplacements } from './apply-replacements.ts';
