import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk testenv install`. */
export const command = defineCommand({
  flags: {
    version: flag.text('version', 'Kubernetes version (default: the one op-sdk is tested with)'),
    'controller-manager': flag.negated('do not install kube-controller-manager'),
    ...dryRunFlag,
  },
  help: `
Fills the cache ($XDG_CACHE_HOME or ~/.cache, op-sdk/testenv/<version>): downloads the published envtest
archive, or builds from Go modules where that is not possible. kube-controller-manager, which the archive lacks,
is always built; if that fails, it is only a warning.`,
});
