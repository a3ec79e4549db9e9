import type { Action } from '../command.ts';
import type { ManifestOptions } from '../flags/manifest-flag.ts';
import type { RemoveManifestOptions } from '../flags/remove-flags.ts';
import { removeManifest } from './cluster/remove-manifest.ts';
import { crdInput } from './input/crd-input.ts';

/** `op-sdk uninstall`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as RemoveManifestOptions & ManifestOptions;
  const objects = await crdInput(context, options, 'uninstall');
  if (objects !== undefined) return removeManifest(context, options, () => Promise.resolve({ objects }));
  context.report.info('there are no CustomResourceDefinitions to uninstall');
  return { result: { dryRun: options.dryRun === true, objects: [] } };
};
