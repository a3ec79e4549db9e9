import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { booleanFlag } from '../flags/common.ts';
import { imageFlag } from '../flags/image-flag.ts';
import { manifestFlag } from '../flags/manifest-flag.ts';

/** `op-sdk deploy`. */
export const command: CommandModule = {
  configure(command) {
    manifestFlag(command);
    command.option('--dir <folder>', 'the kustomization to deploy (default: config/default)');
    imageFlag(command);
    booleanFlag(command, 'wait', 'wait until the operator runs', true);
    command.option(
      '--timeout <duration>',
      'how long to wait for the operator to run (default: 2m), and for definitions to be served (default: 30s)',
    );
    clusterFlags(command);
    booleanFlag(command, 'dry-run', 'ask the API server for everything, write nothing', false);
    command.addHelpText(
      'after',
      `
Applies the objects of config/default: CustomResourceDefinitions first, the rest once they are served. Everything is
checked before anything is written, and a second deploy changes nothing. Fields are written by server-side apply as
the field manager op-sdk, which takes over what others have set in them.
What is generated must be up to date: op-sdk generate manifests, or make deploy.
With another kustomize: kustomize build config/default | op-sdk deploy -f -`,
    );
  },
  run: () => import('../actions/deploy.ts'),
};
