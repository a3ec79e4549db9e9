import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag } from '../flags/common.ts';

/** `op-sdk testenv remove`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--version <version>', 'the version to remove');
    booleanFlag(command, 'all', 'remove every version');
    dryRunFlag(command);
  },
  run: () => import('../actions/testenv-remove.ts'),
};
