import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { moreHelp } from '../flags/common.ts';
import { storageArgument } from '../flags/storage-argument.ts';

/** `op-sdk storage status`. */
export const command: CommandModule = {
  configure(command) {
    storageArgument(command);
    clusterFlags(command);
    moreHelp(
      command,
      `
Shows for each CustomResourceDefinition on the cluster its storage version, the versions in which objects may be stored
(status.storedVersions), the served versions, and whether its objects need op-sdk storage migrate.`,
    );
  },
  run: () => import('../actions/storage-status.ts'),
};
