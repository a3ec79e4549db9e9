import type { BundleVerdict } from '../../../olm/bundle/index.ts';

/** Verdict on a bundle, together with a flag that is true if the bundle counts as passed. */
export interface JudgedBundle {
  readonly verdict: Pick<BundleVerdict, 'dir' | 'results'>;
  readonly passed: boolean;
}
