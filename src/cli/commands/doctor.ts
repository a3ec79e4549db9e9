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
Looks at this machine, the project in this folder, the cluster of your kubeconfig and the operator on it.
Each check is ok, a warning, a problem, or skipped with the reason; exit code 1 if there is a problem.
It reads only. --quiet prints warnings and problems alone.`,
    );
  },
  run: () => import('../actions/doctor.ts'),
};
