import type { CommandModule } from '../command.ts';
import { dryRunFlag, moreHelp, negatedFlag } from '../flags/common.ts';

/** `op-sdk testenv run`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--version <version>', 'Kubernetes version (default: the one op-sdk is tested with)');
    command.option('--kubeconfig <file>', 'also write the kubeconfig there; removed at the end');
    negatedFlag(command, 'controller-manager', 'do not run kube-controller-manager', true);
    dryRunFlag(command);
    moreHelp(command, 'Runs until Ctrl-C. Everything stored in it is lost then.');
  },
  run: () => import('../actions/testenv-run.ts'),
};
