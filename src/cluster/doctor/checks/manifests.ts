import { defineCheck, ok, problem } from '../check.ts';

/** Checks that the generated CRDs and the role are what the sources give. */
export const manifests = defineCheck({
  name: 'manifests',
  needs: ['project', 'kinds'],
  async run(_facts, world) {
    const outdated = await world.outdatedManifests();
    if (outdated.length === 0) return ok('the generated manifests are up to date');
    const message = `the sources have changed since these were generated: ${outdated.join(', ')}`;
    return problem('manifests/out-of-date', message, 'op-sdk generate manifests');
  },
});
