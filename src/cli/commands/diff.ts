import { defineCommand, type CliContext, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags, manifestFlag, namespaceFlag, pruneFlag } from '../flags/cluster-flags.ts';
import {
  diffObjects,
  diffPruned,
  withoutUnservedMonitoring,
  type ObjectDiff,
  type Inventory,
} from '../../cluster/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { objectDiffsText, objectDiffResult } from '../ui/object-lines.ts';
import { connect } from '../actions/cluster/connect.ts';
import { bringInventory, leftoverWarnings, noInventory } from '../actions/cluster/deploy-inventory.ts';
import { refuseUnusedImage, renderWithImage } from '../actions/cluster/manager-image.ts';
import { namespaceInput } from '../actions/input/flag-values.ts';
import { deployedFolder, manifestInput } from '../actions/input/manifests.ts';

const flags = {
  ...manifestFlag,
  dir: flag.text('folder', 'the kustomization to compare (default: config/default)'),
  image: flag.text('reference', 'the image of the operator, as deploy would write it'),
  prune: pruneFlag(
    'show as pruned what earlier deploys have written and the manifests no longer name; --no-prune: leave it out',
  ),
  ...namespaceFlag,
  ...clusterFlags,
};

export const command = defineCommand({
  failureCode: 3,
  flags,
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
  async run(context, options) {
    refuseUnusedImage(options);
    const namespace = namespaceInput(options);
    const folder = await deployedFolder(context, options);
    const render = () => manifestInput(context, options, { folder, pipeInto: 'op-sdk diff -f -' });
    const client = await connect(context, options);
    try {
      const { signal } = context;
      const rendered = await renderWithImage(context, options.image, render);
      const { objects, warning } = await withoutUnservedMonitoring(client, rendered, { signal });
      const { inventory, warnings: found } = await readInventory(context, options, client, objects);
      const warnings: Finding[] = [...(warning === undefined ? [] : [warning]), ...found];
      const applied = await diffObjects({
        client,
        objects: inventory?.objects ?? objects,
        namespace,
        signal,
        onWarning: (warning) => warnings.push(warning),
      });
      const { prunable, kept } = inventory?.leftovers(applied) ?? { prunable: [], kept: [] };
      warnings.push(...leftoverWarnings(options, { prunable, kept }));
      const pruned = options.prune === true ? await diffPruned(client, prunable, { signal }) : [];
      const diffs = [...applied, ...pruned];
      const differs = ({ action }: ObjectDiff): boolean => action !== 'unchanged';
      return {
        result: objectDiffResult(diffs),
        text: objectDiffsText(diffs),
        warnings,
        exitCode: diffs.some(differs) ? 1 : 0,
      };
    } finally {
      await client.close();
    }
  },
});

type Options = ParsedOptions<typeof flags>;

/**
 * Reads the inventory. With `--filename`, the inventory is read only if `--prune` is given, since the files may be only a part of the
 * deployed manifests. Objects that belong to other owners are not an error for `diff`, but a deploy refuses them.
 */
async function readInventory(
  context: CliContext,
  options: Options,
  client: KubeClient,
  objects: readonly PlacedObject[],
): Promise<{ readonly inventory?: Inventory | undefined; readonly warnings: readonly Finding[] }> {
  if (options.prune === false || (options.filename !== undefined && options.prune !== true))
    return { warnings: [] };
  const { inventory, warnings } = await bringInventory(
    context,
    { ...options, takeOver: true, dryRun: false },
    { client, objects },
  );
  return { inventory, warnings: warnings.filter((warning) => warning !== noInventory) };
}
