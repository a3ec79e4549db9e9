import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags, manifestFlag } from '../flags/cluster-flags.ts';
import { serverDryRunFlag } from '../flags/common.ts';
import { installableCrds } from '../../cluster/index.ts';
import { applyManifest } from '../actions/cluster/apply-manifest.ts';
import { crdInput } from '../actions/input/manifests.ts';

export const command = defineCommand({
  flags: {
    ...manifestFlag,
    timeout: flag.text('duration', 'how long to wait until the definitions are served (default: 30s)'),
    ...clusterFlags,
    ...serverDryRunFlag,
  },
  help: `
Applies the CustomResourceDefinitions of config/crd, and waits until the API server serves them.
Generated files must be up to date: run op-sdk generate manifests first, or make install.

With another kustomize:
  kustomize build config/crd | op-sdk install -f -`,
  async run(context, options) {
    const objects = await crdInput(context, options, 'install');
    if (objects !== undefined)
      return applyManifest(context, options, (client) => installableCrds(client, objects, context.signal));
    context.report.info('there are no CustomResourceDefinitions to install: `op-sdk create api` adds a kind');
    return { result: { dryRun: options.dryRun === true, objects: [] } };
  },
});
