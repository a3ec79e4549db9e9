import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag } from '../flags/common.ts';

/** `op-sdk testenv run`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--version <version>', 'Kubernetes version (default: the one op-sdk is tested with)');
    command.option('--kubeconfig <file>', 'also write the kubeconfig there; removed at the end');
    booleanFlag(command, 'controller-manager', 'run kube-controller-manager too', true);
    dryRunFlag(command);
    command.addHelpText('after', '\nRuns until Ctrl-C. All that it holds is gone then.');
  },
  run: () => import('../actions/testenv-run.ts'),
};
