import { defineCommand } from '../command.ts';
import { clusterFlags, storageArgument } from '../flags/cluster-flags.ts';
import { serverDryRunFlag } from '../flags/common.ts';

/** `op-sdk storage migrate`. */
export const command = defineCommand({
  arguments: [storageArgument],
  flags: {
    ...clusterFlags,
    ...serverDryRunFlag,
  },
  help: `
Rewrites every object of the definitions whose objects may be stored in another version than the storage version: by
an empty patch, which changes only how the API server stores the object. When all objects of a definition are
rewritten, the other versions are removed from its status.storedVersions, and may then be removed from the definition.

It may be interrupted and run again at any time. Operators go on working; the webhook that converts must run.
Needed permissions: list and patch of the objects, get of customresourcedefinitions, patch of
customresourcedefinitions/status.`,
});
