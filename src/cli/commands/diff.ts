import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags, manifestFlag, namespaceFlag, pruneFlag } from '../flags/cluster-flags.ts';

/** `op-sdk diff`. */
export const command = defineCommand({
  failureCode: 3,
  flags: {
    ...manifestFlag,
    dir: flag.text('folder', 'the kustomization to compare (default: config/default)'),
    image: flag.text('reference', 'the image of the operator, as deploy would write it'),
    prune: pruneFlag(
      'show as pruned what earlier deploys have written and the manifests no longer name; --no-prune: leave it out',
    ),
    ...namespaceFlag,
    ...clusterFlags,
  },
  help: `
Shows what op-sdk deploy would change: for each object whether it would be created or changed, and its fields as a
unified diff. The API server is asked by a server-side dry run; nothing is changed, neither on the cluster nor in files.
Status and what the API server keeps account of are left out, and the values of Secrets are masked. What has left the
manifests is listed as a warning; with --prune it is a difference, as op-sdk deploy --prune would delete it.

  op-sdk diff
  op-sdk diff --image registry.example.com/team/operator:v2
  kustomize build config/default | op-sdk diff -f -

The exit code is 0 if nothing differs, 1 if something does, 2 for wrong usage, and 3 if it cannot be compared: an invalid
object, or a cluster that does not answer.`,
});
