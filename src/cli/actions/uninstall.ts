import type { Action } from '../command.ts';
import type { command } from '../commands/uninstall.ts';
import { removeManifest } from './cluster/remove-manifest.ts';
import { crdInput } from './input/manifests.ts';

/** `op-sdk uninstall`. */
export const run: Action<typeof command> = async (context, options) => {
  const objects = await crdInput(context, options, 'uninstall');
  if (objects !== undefined) return removeManifest(context, options, () => Promise.resolve({ objects }));
  context.report.info('there are no CustomResourceDefinitions to uninstall');
  return { result: { dryRun: options.dryRun === true, objects: [] } };
};
