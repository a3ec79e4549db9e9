import type { CommandModule } from '../command.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk version`. */
export const command: CommandModule = {
  configure(command) {
    moreHelp(command, 'Prints the versions of op-sdk and of Node.');
  },
  run: () => import('../actions/version.ts'),
};
