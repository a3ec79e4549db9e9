import { defineCommand } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';

/** `op-sdk storage check`. */
export const command = defineCommand({
  flags: {
    ...clusterFlags,
  },
  help: `
Compares the CustomResourceDefinitions of config/crd with the cluster, before they are installed: no version may be
missing in which objects may be stored there (status.storedVersions), and none that the samples or sources of the
project name may be missing or unserved.

The exit code is 0 if every version that is missing may go, else 1.`,
});
