import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { booleanFlag, moreHelp } from '../flags/common.ts';

/** `op-sdk run`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[flags...]', 'flags for the operator, after --');
    clusterFlags(command);
    booleanFlag(command, 'dry-run', 'check everything, build nothing, run nothing', false);
    moreHelp(
      command,
      `
Bundles the operator and runs it on this machine, against the cluster of your kubeconfig, until it exits
or you press Ctrl-C; op-sdk exits with its exit code. Metrics are on :8080, probes on :8081. Flags for the operator follow --:
  op-sdk run -- --metrics-bind-address=:9090 --namespace=default

The cluster must have the CRDs of the project:
  op-sdk install`,
    );
  },
  run: () => import('../actions/run.ts'),
};
