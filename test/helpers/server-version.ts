import { inject } from 'vitest';
import { supportedKubernetes } from '../../src/base/util/kubernetes-releases.ts';

/**
 * True if the API server of this run is of an older minor version than `minor`, such as `1.34`. `npm run test:kubernetes` runs tests on
 * older releases: a case that needs what a later release brought names that release.
 */
export function isServerOlderThan(minor: string): boolean {
  const version = inject('controlPlane')?.version ?? supportedKubernetes.release;
  return Number(version.split('.')[1]) < Number(minor.split('.')[1]);
}
