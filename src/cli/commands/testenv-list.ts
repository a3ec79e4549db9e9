import type { CommandModule } from '../command.ts';

/** `op-sdk testenv list`. */
export const command: CommandModule = {
  configure(command) {
    command.addHelpText(
      'after',
      '\nLists what is in the cache. KUBEBUILDER_ASSETS, if set, is used before it.',
    );
  },
  run: () => import('../actions/testenv-list.ts'),
};
