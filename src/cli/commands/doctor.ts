import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk doctor`. */
export const command: CommandModule = {
  configure(command) {
    clusterFlags(command);
    moreHelp(
      command,
      `
Checks this machine, the project in this folder, the cluster of your kubeconfig and the operator on it.
Each check is ok, a warning, a problem, or skipped with the reason; the exit code is 1 if there is a problem.
It changes nothing. --quiet prints only warnings and problems.`,
    );
  },
  run: () => import('../actions/doctor.ts'),
};
