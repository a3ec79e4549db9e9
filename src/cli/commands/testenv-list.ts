import type { CommandModule } from '../command.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk testenv list`. */
export const command: CommandModule = {
  configure(command) {
    moreHelp(command, 'Lists the versions in the cache. KUBEBUILDER_ASSETS, if set, takes precedence.');
  },
  run: () => import('../actions/testenv-list.ts'),
};
