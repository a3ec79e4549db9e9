import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { manifestFlag } from '../flags/manifest-flag.ts';
import { removeFlags, removeHelp } from '../flags/remove-flags.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk uninstall`. */
export const command: CommandModule = {
  configure(command) {
    manifestFlag(command);
    clusterFlags(command);
    removeFlags(command);
    moreHelp(
      command,
      `
Deletes the CustomResourceDefinitions of config/crd.

${removeHelp}

With another kustomize:
  kustomize build config/crd | op-sdk uninstall -f -`,
    );
  },
  run: () => import('../actions/uninstall.ts'),
};
