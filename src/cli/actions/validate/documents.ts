import type { BundleVerdict } from '../../../olm/bundle/index.ts';

/** Verdict on a bundle, and the decision if the bundle counts as passed. */
export interface JudgedBundle {
  readonly verdict: Pick<BundleVerdict, 'dir' | 'results'>;
  readonly passed: boolean;
}
