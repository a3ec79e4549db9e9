import type { CommandModule } from '../command.ts';
import { moreHelp } from '../flags/common.ts';
import { runBundleFlags } from '../flags/run-bundle-flags.ts';

/** `op-sdk run bundle-upgrade`. */
export const command: CommandModule = {
  configure(command) {
    runBundleFlags(command);
    moreHelp(
      command,
      `
Upgrades an operator that op-sdk run bundle has installed: adds the new bundle to its catalogue as the update of the
installed version, pushes the catalogue under a new tag, and waits until the new version runs. The bundle must be newer.`,
    );
  },
  run: () => import('../actions/run-bundle-upgrade.ts'),
};
