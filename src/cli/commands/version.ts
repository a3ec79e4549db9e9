import type { CommandModule } from '../command.ts';

/** `op-sdk version`. */
export const command: CommandModule = {
  configure(command) {
    command.addHelpText('after', '\nPrints the versions of op-sdk and of Node.');
  },
  run: () => import('../actions/version.ts'),
};
