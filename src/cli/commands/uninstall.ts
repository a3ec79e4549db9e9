import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { manifestFlag } from '../flags/manifest-flag.ts';
import { removeFlags, removeHelp } from '../flags/remove-flags.ts';

/** `op-sdk uninstall`. */
export const command: CommandModule = {
  configure(command) {
    manifestFlag(command);
    clusterFlags(command);
    removeFlags(command);
    command.addHelpText(
      'after',
      `
Deletes the CustomResourceDefinitions of config/crd.
${removeHelp.trimStart()}
With another kustomize: kustomize build config/crd | op-sdk uninstall -f -`,
    );
  },
  run: () => import('../actions/uninstall.ts'),
};
