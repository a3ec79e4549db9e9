import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk testenv run`. */
export const command = defineCommand({
  flags: {
    version: flag.text('version', 'Kubernetes version (default: the one op-sdk is tested with)'),
    kubeconfig: flag.text('file', 'also write the kubeconfig there; removed at the end'),
    'controller-manager': flag.negated('do not run kube-controller-manager'),
    ...dryRunFlag,
  },
  help: 'Runs until Ctrl-C. Everything stored in it is lost then.',
});
