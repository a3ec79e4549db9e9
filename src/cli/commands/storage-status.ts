import { defineCommand } from '../command.ts';
import { clusterFlags, storageArgument } from '../flags/cluster-flags.ts';

/** `op-sdk storage status`. */
export const command = defineCommand({
  arguments: [storageArgument],
  flags: {
    ...clusterFlags,
  },
  help: `
Shows for each CustomResourceDefinition on the cluster its storage version, the versions in which objects may be stored
(status.storedVersions), the served versions, and whether its objects need op-sdk storage migrate.`,
});
