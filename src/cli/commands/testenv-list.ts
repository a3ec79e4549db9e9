import type { CommandModule } from '../command.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk testenv list`. */
export const command: CommandModule = {
  configure(command) {
    moreHelp(command, 'Lists what is in the cache. KUBEBUILDER_ASSETS, if set, is used before it.');
  },
  run: () => import('../actions/testenv-list.ts'),
};
