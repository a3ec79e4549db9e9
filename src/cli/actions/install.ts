import { installableCrds } from '../../cluster/index.ts';
import type { Action } from '../command.ts';
import type { ManifestOptions } from '../flags/manifest-flag.ts';
import { applyManifest, type ApplyManifestOptions } from './cluster/apply-manifest.ts';
import { crdInput } from './input/crd-input.ts';

/** `op-sdk install`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as ApplyManifestOptions & ManifestOptions;
  const objects = await crdInput(context, options, 'install');
  if (objects !== undefined)
    return applyManifest(context, options, (client) => installableCrds(client, objects, context.signal));
  context.report.info('there are no CustomResourceDefinitions to install: `op-sdk create api` adds a kind');
  return { result: { dryRun: options.dryRun === true, objects: [] } };
};
