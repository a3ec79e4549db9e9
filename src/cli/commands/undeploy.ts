import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import {
  clusterFlags,
  manifestFlag,
  namespaceFlag,
  pruneFlag,
  removeFlags,
  removeHelp,
} from '../flags/cluster-flags.ts';

/** `op-sdk undeploy`. */
export const command = defineCommand({
  flags: {
    ...manifestFlag,
    dir: flag.text('folder', 'the kustomization that was deployed (default: config/default)'),
    prune: pruneFlag(
      'also delete what earlier deploys have written and the manifests no longer name, without asking; --no-prune: keep it',
    ),
    ...namespaceFlag,
    ...clusterFlags,
    ...removeFlags,
  },
  help: `
Deletes everything that op-sdk deploy applies: custom resources and their definitions first, while the operator still
runs and can finalize them, then the rest in the reverse order of deploy. What has left the manifests before is listed:
on a terminal op-sdk asks whether to delete it too, in a script --prune does. Objects that belong to another operator
by now are left alone.

${removeHelp}

With another kustomize:
  kustomize build config/default | op-sdk undeploy -f -`,
});
