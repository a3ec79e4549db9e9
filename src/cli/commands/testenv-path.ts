import type { CommandModule } from '../command.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk testenv path`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--version <version>', 'Kubernetes version (default: the one op-sdk is tested with)');
    moreHelp(command, '  export KUBEBUILDER_ASSETS="$(op-sdk testenv path)"');
  },
  run: () => import('../actions/testenv-path.ts'),
};
