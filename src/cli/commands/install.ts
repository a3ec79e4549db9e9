import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags, manifestFlag } from '../flags/cluster-flags.ts';
import { serverDryRunFlag } from '../flags/common.ts';

/** `op-sdk install`. */
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
});
