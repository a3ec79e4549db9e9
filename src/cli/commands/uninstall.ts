import type { CommandModule } from '../command.ts';
import { clusterFlags } from './shared/cluster-flags.ts';
import { manifestFlag, type ManifestOptions } from './shared/manifest-input.ts';
import { removeFlags, removeHelp, type RemoveManifestOptions } from './shared/remove-manifest.ts';

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
  async run(context, given) {
    const options = given as RemoveManifestOptions & ManifestOptions;
    const { crdInput } = await import('./shared/crd-input.ts');
    const { removeManifest } = await import('./shared/remove-manifest.ts');
    const objects = await crdInput(context, options, 'uninstall');
    if (objects !== undefined) return removeManifest(context, options, objects);
    context.report.info('there are no CustomResourceDefinitions to uninstall');
    return { result: { dryRun: options.dryRun === true, objects: [] } };
  },
};
