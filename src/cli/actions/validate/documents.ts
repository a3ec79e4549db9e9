import type { BundleVerdict } from '../../../olm/bundle/index.ts';

/** The verdict on a bundle, and whether it counts as passed. */
export interface JudgedBundle {
  readonly verdict: Pick<BundleVerdict, 'dir' | 'results'>;
  readonly passed: boolean;
}
