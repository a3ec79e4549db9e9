import type { CommandModule } from '../command.ts';
import { clusterFlags } from './shared/cluster-flags.ts';
import { manifestFlag, manifestInput, type ManifestOptions } from './shared/manifest-input.ts';
import {
  removeFlags,
  removeHelp,
  removeManifest,
  type RemoveManifestOptions,
} from './shared/remove-manifest.ts';

interface Options extends RemoveManifestOptions, ManifestOptions {
  readonly dir?: string;
}

/** `op-sdk undeploy`. */
export const command: CommandModule = {
  configure(command) {
    manifestFlag(command);
    command.option('--dir <folder>', 'the kustomization that was deployed (default: config/default)');
    clusterFlags(command);
    removeFlags(command);
    command.addHelpText(
      'after',
      `
Deletes all that op-sdk deploy applies: custom resources and their definitions first, while the operator still
runs to finish them, then the rest in the reverse order of deploy.
${removeHelp.trimStart()}
With another kustomize: kustomize build config/default | op-sdk undeploy -f -`,
    );
  },
  async run(context, given) {
    const options = given as Options;
    const { deployedFolder } = await import('./shared/deployed-folder.ts');
    const folder = await deployedFolder(context, options);
    const objects = await manifestInput(context, options, { folder, pipeInto: 'op-sdk undeploy -f -' });
    return removeManifest(context, options, objects);
  },
};
