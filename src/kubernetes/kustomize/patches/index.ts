/**
 * Patches of a kustomization, strategic merge and JSON 6902: which resources they mean and what they do to them. What
 * kustomize would do wrong without a word (directives that it does not know, items without merge keys) is refused.
 */
export { applyPatches } from './apply-patches.ts';
export { isStepList } from './read-patch.ts';
