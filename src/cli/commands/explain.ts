import type { CommandModule } from '../command.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk explain`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[code]', 'a code such as schema/plain-number, or a group of codes such as schema/');
    moreHelp(
      command,
      `
Says what the code of an error or warning means, and what to do about it. Without a code, or with only the part before
the slash, it lists codes.

  op-sdk explain schema/plain-number
  op-sdk explain bundle/`,
    );
  },
  run: () => import('../actions/explain.ts'),
};
