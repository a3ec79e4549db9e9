import { installableCrds } from '../../cluster/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/install.ts';
import { applyManifest } from './cluster/apply-manifest.ts';
import { crdInput } from './input/manifests.ts';

/** `op-sdk install`. */
export const run: Action<typeof command> = async (context, options) => {
  const objects = await crdInput(context, options, 'install');
  if (objects !== undefined)
    return applyManifest(context, options, (client) => installableCrds(client, objects, context.signal));
  context.report.info('there are no CustomResourceDefinitions to install: `op-sdk create api` adds a kind');
  return { result: { dryRun: options.dryRun === true, objects: [] } };
};
