import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { manifestFlag } from '../flags/manifest-flag.ts';
import { pruneFlag } from '../flags/prune-flag.ts';
import { namespaceFlag } from '../flags/namespace-flag.ts';
import { removeFlags, removeHelp } from '../flags/remove-flags.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk undeploy`. */
export const command: CommandModule = {
  configure(command) {
    manifestFlag(command);
    command.option('--dir <folder>', 'the kustomization that was deployed (default: config/default)');
    pruneFlag(
      command,
      'also delete what earlier deploys have written and the manifests no longer name, without asking; --no-prune: keep it',
    );
    namespaceFlag(command);
    clusterFlags(command);
    removeFlags(command);
    moreHelp(
      command,
      `
Deletes everything that op-sdk deploy applies: custom resources and their definitions first, while the operator still
runs and can finalize them, then the rest in the reverse order of deploy. What has left the manifests before is listed:
on a terminal op-sdk asks whether to delete it too, in a script --prune does. Objects that belong to another operator
by now are left alone.

${removeHelp}

With another kustomize:
  kustomize build config/default | op-sdk undeploy -f -`,
    );
  },
  run: () => import('../actions/undeploy.ts'),
};
