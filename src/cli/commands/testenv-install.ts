import type { CommandModule } from '../command.ts';
import { dryRunFlag, moreHelp, negatedFlag } from '../flags/common.ts';

/** `op-sdk testenv install`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--version <version>', 'Kubernetes version (default: the one op-sdk is tested with)');
    negatedFlag(command, 'controller-manager', 'do not install kube-controller-manager', true);
    dryRunFlag(command);
    moreHelp(
      command,
      `
Fills the cache ($XDG_CACHE_HOME or ~/.cache, op-sdk/testenv/<version>): downloads the published envtest
archive, or builds from Go modules where that is not possible. kube-controller-manager, which the archive lacks,
is always built; if that fails, it is only a warning.`,
    );
  },
  run: () => import('../actions/testenv-install.ts'),
};
