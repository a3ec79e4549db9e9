import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { moreHelp, serverDryRunFlag } from '../flags/common.ts';
import { manifestFlag } from '../flags/manifest-flag.ts';

/** `op-sdk install`. */
export const command: CommandModule = {
  configure(command) {
    manifestFlag(command);
    command.option(
      '--timeout <duration>',
      'how long to wait until the definitions are served (default: 30s)',
    );
    clusterFlags(command);
    serverDryRunFlag(command);
    moreHelp(
      command,
      `
Applies the CustomResourceDefinitions of config/crd, and waits until the API server serves them.
Generated files must be up to date: run op-sdk generate manifests first, or make install.

With another kustomize:
  kustomize build config/crd | op-sdk install -f -`,
    );
  },
  run: () => import('../actions/install.ts'),
};
