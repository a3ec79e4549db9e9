import { defineCommand } from '../command.ts';
import { clusterFlags, manifestFlag, removeFlags, removeHelp } from '../flags/cluster-flags.ts';
import { removeManifest } from '../actions/cluster/remove-manifest.ts';
import { crdInput } from '../actions/input/manifests.ts';

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
  async run(context, options) {
    const objects = await crdInput(context, options, 'uninstall');
    if (objects !== undefined) return removeManifest(context, options, () => Promise.resolve({ objects }));
    context.report.info('there are no CustomResourceDefinitions to uninstall');
    return { result: { dryRun: options.dryRun === true, objects: [] } };
  },
});
