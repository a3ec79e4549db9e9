import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { booleanFlag, moreHelp } from '../flags/common.ts';

/** `op-sdk run`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[flags...]', 'flags of the operator, behind --');
    clusterFlags(command);
    booleanFlag(command, 'dry-run', 'check everything, build nothing, run nothing', false);
    moreHelp(
      command,
      `
Bundles the operator and runs it on this machine, against the cluster of your kubeconfig, until it ends
or Ctrl-C ends it; its exit code is that of op-sdk. Metrics are on :8080, probes on :8081. The flags of the operator come after --:
  op-sdk run -- --metrics-bind-address=:9090 --namespace=default

The cluster must have the CRDs of the project:
  op-sdk install`,
    );
  },
  run: () => import('../actions/run.ts'),
};
