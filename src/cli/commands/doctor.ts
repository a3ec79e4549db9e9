import { defineCommand } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';

/** `op-sdk doctor`. */
export const command = defineCommand({
  flags: {
    ...clusterFlags,
  },
  help: `
Checks this machine, the project in this folder, the cluster of your kubeconfig and the operator on it.
Each check is ok, a warning, a problem, or skipped with the reason; the exit code is 1 if there is a problem.
It changes nothing. --quiet prints only warnings and problems.`,
});
