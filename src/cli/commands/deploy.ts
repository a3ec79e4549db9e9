import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { booleanFlag, moreHelp, negatedFlag, serverDryRunFlag } from '../flags/common.ts';
import { imageFlag } from '../flags/image-flag.ts';
import { manifestFlag } from '../flags/manifest-flag.ts';
import { pruneFlag } from '../flags/prune-flag.ts';
import { namespaceFlag } from '../flags/namespace-flag.ts';

/** `op-sdk deploy`. */
export const command: CommandModule = {
  configure(command) {
    manifestFlag(command);
    command.option('--dir <folder>', 'the kustomization to deploy (default: config/default)');
    imageFlag(command);
    negatedFlag(command, 'wait', 'return without waiting for the rollout', true);
    command.option(
      '--timeout <duration>',
      'how long to wait for the operator to run (default: 2m), and for definitions to be served (default: 30s)',
    );
    pruneFlag(
      command,
      'delete what earlier deploys have written and the manifests no longer name, without asking; --no-prune: keep it',
    );
    booleanFlag(
      command,
      'take-over',
      'take over objects that another operator or tool has deployed, after a move to another namespace or name',
      false,
    );
    namespaceFlag(command);
    clusterFlags(command);
    serverDryRunFlag(command);
    moreHelp(
      command,
      `
Applies the objects of config/default: CustomResourceDefinitions first, the rest once they are served. Everything is
checked before anything is written, and a second deploy changes nothing. Fields are written by server-side apply with
the field manager op-sdk, which takes over fields that others have set to other values, and all that
kubectl apply has set without --server-side. op-sdk diff, or --dry-run, shows what would change.
Generated files must be up to date: run op-sdk generate manifests first, or make deploy.

An inventory beside the operator, a Secret, remembers what was applied. What has left the manifests is listed: on a
terminal op-sdk asks whether to delete it, in a script --prune deletes it. Namespaces, CustomResourceDefinitions and
PersistentVolumeClaims are never deleted, only named.

With another kustomize:
  kustomize build config/default | op-sdk deploy -f -`,
    );
  },
  run: () => import('../actions/deploy.ts'),
};
