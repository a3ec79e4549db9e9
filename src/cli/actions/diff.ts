import { diffObjects, diffPruned, type ObjectDiff, type Inventory } from '../../cluster/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import type { Action, CliContext, ParsedOptions } from '../command.ts';
import type { command } from '../commands/diff.ts';
import { objectDiffsText, objectDiffResult } from '../ui/object-lines.ts';
import { connect } from './cluster/connect.ts';
import { bringInventory, leftoverWarnings, noInventory } from './cluster/deploy-inventory.ts';
import { refuseUnusedImage, renderWithImage } from './cluster/manager-image.ts';
import { namespaceInput } from './input/flag-values.ts';
import { deployedFolder, manifestInput } from './input/manifests.ts';

type Options = ParsedOptions<typeof command>;

/** `op-sdk diff`. */
export const run: Action<typeof command> = async (context, options) => {
  refuseUnusedImage(options);
  const namespace = namespaceInput(options);
  const folder = await deployedFolder(context, options);
  const render = () => manifestInput(context, options, { folder, pipeInto: 'op-sdk diff -f -' });
  const client = await connect(context, options);
  try {
    const { signal } = context;
    const objects = await renderWithImage(context, options.image, render);
    const { inventory, warnings: found } = await readInventory(context, options, client, objects);
    const warnings: Finding[] = [...found];
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
};

/** Without `--prune`, files may be a part of what was deployed. That objects belong to others is for a deploy to refuse. */
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
