import type { Action } from '../command.ts';
import { removeManifest } from './cluster/remove-manifest.ts';
import { undeployInventory, type UndeployOptions } from './cluster/undeploy-inventory.ts';
import { deployedFolder } from './input/deployed-folder.ts';
import { manifestInput } from './input/manifest-input.ts';

/** `op-sdk undeploy`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as UndeployOptions;
  const folder = await deployedFolder(context, options);
  const objects = await manifestInput(context, options, { folder, pipeInto: 'op-sdk undeploy -f -' });
  return removeManifest(context, options, (client, log) =>
    undeployInventory(context, options, { client, objects, log }),
  );
};
