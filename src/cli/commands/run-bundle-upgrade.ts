import { defineCommand } from '../command.ts';
import { runBundleFlags, runBundleArgument } from '../flags/olm-flags.ts';

/** `op-sdk run bundle-upgrade`. */
export const command = defineCommand({
  arguments: [runBundleArgument],
  flags: {
    ...runBundleFlags,
  },
  help: `
Upgrades an operator that op-sdk run bundle has installed: adds the new bundle to its catalogue as the update of the
installed version, pushes the catalogue under a new tag, and waits until the new version runs. The bundle must be newer.`,
});
