import { defineCheck, ok } from '../check.ts';

/** Checks that the Operator Lifecycle Manager is there: only bundles need it, so that either answer is fine. */
export const olm = defineCheck({
  name: 'olm',
  needs: ['cluster'],
  run({ cluster: { directory } }) {
    const isThere = directory.types.some(
      ({ resource }) =>
        resource.group === 'operators.coreos.com' && resource.kind === 'ClusterServiceVersion',
    );
    if (isThere) return ok('the Operator Lifecycle Manager is installed');
    return ok('the Operator Lifecycle Manager is not installed; only bundles need it');
  },
});
