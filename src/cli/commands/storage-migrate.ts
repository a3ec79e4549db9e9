import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { moreHelp, serverDryRunFlag } from '../flags/common.ts';
import { storageArgument } from '../flags/storage-argument.ts';

/** `op-sdk storage migrate`. */
export const command: CommandModule = {
  configure(command) {
    storageArgument(command);
    clusterFlags(command);
    serverDryRunFlag(command);
    moreHelp(
      command,
      `
Rewrites every object of the definitions whose objects may be stored in another version than the storage version: by
an empty patch, which changes only how the API server stores the object. When all objects of a definition are
rewritten, the other versions are removed from its status.storedVersions, and may then be removed from the definition.

It may be interrupted and run again at any time. Operators go on working; the webhook that converts must run.
Needed permissions: list and patch of the objects, get of customresourcedefinitions, patch of
customresourcedefinitions/status.`,
    );
  },
  run: () => import('../actions/storage-migrate.ts'),
};
