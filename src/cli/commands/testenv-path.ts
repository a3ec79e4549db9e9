import type { CommandModule } from '../command.ts';

/** `op-sdk testenv path`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--version <version>', 'Kubernetes version (default: the one op-sdk is tested with)');
    command.addHelpText('after', '\nexport KUBEBUILDER_ASSETS="$(op-sdk testenv path)"');
  },
  run: () => import('../actions/testenv-path.ts'),
};
