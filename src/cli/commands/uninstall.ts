import { defineCommand } from '../command.ts';
import { clusterFlags, manifestFlag, removeFlags, removeHelp } from '../flags/cluster-flags.ts';

/** `op-sdk uninstall`. */
export const command = defineCommand({
  flags: {
    ...manifestFlag,
    ...clusterFlags,
    ...removeFlags,
  },
  help: `
Deletes the CustomResourceDefinitions of config/crd.

${removeHelp}

With another kustomize:
  kustomize build config/crd | op-sdk uninstall -f -`,
});
