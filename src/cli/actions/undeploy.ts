import type { Action } from '../command.ts';
import type { ManifestOptions } from '../flags/manifest-flag.ts';
import type { RemoveManifestOptions } from '../flags/remove-flags.ts';
import { removeManifest } from './cluster/remove-manifest.ts';
import { deployedFolder } from './input/deployed-folder.ts';
import { manifestInput } from './input/manifest-input.ts';

interface Options extends RemoveManifestOptions, ManifestOptions {
  readonly dir?: string;
}

/** `op-sdk undeploy`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as Options;
  const folder = await deployedFolder(context, options);
  const objects = await manifestInput(context, options, { folder, pipeInto: 'op-sdk undeploy -f -' });
  return removeManifest(context, options, objects);
};
