import { defineCommand, type CliContext } from '../command.ts';
import { flag } from '../flags/flag.ts';
import {
  clusterFlags,
  manifestFlag,
  namespaceFlag,
  pruneFlag,
  removeFlags,
  removeHelp,
  type ManifestOptions,
  type PruneOptions,
  type RemoveManifestOptions,
} from '../flags/cluster-flags.ts';
import { findParent, keptFinding, openRemoval, unreadFinding } from '../../cluster/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import type { ObjectLog } from '../ui/object-lines.ts';
import { removeManifest, type ManifestToRemove } from '../actions/cluster/remove-manifest.ts';
import { deployedFolder, manifestInput } from '../actions/input/manifests.ts';
import { inventoryTooling, noInventory, askToPrune } from '../actions/cluster/deploy-inventory.ts';

export const command = defineCommand({
  flags: {
    ...manifestFlag,
    dir: flag.text('folder', 'the kustomization that was deployed (default: config/default)'),
    prune: pruneFlag(
      'also delete what earlier deploys have written and the manifests no longer name, without asking; --no-prune: keep it',
    ),
    ...namespaceFlag,
    ...clusterFlags,
    ...removeFlags,
  },
  help: `
Deletes everything that op-sdk deploy applies: custom resources and their definitions first, while the operator still
runs and can finalize them, then the rest in the reverse order of deploy. What has left the manifests before is listed:
on a terminal op-sdk asks whether to delete it too, in a script --prune does. Objects that belong to another operator
by now are left alone.

${removeHelp}

With another kustomize:
  kustomize build config/default | op-sdk undeploy -f -`,
  async run(context, options) {
    const folder = await deployedFolder(context, options);
    const objects = await manifestInput(context, options, { folder, pipeInto: 'op-sdk undeploy -f -' });
    return removeManifest(context, options, (client, log) =>
      undeployInventory(context, options, { client, objects, log }),
    );
  },
});

export interface UndeployOptions extends RemoveManifestOptions, ManifestOptions, PruneOptions {
  readonly dir: string | undefined;
}

interface Manifest {
  readonly client: KubeClient;
  readonly objects: readonly PlacedObject[];
  readonly log: ObjectLog;
}

/**
 * Finds the objects that `undeploy` deletes: the objects of the manifests; with pruning, also the deployed objects that were removed from
 * the manifests earlier; and the inventory if no remaining object needs it. Objects of other operators are not deleted.
 *
 * @throws OpSdkError if pruning was requested and is impossible; Interrupted
 */
export async function undeployInventory(
  context: CliContext,
  options: UndeployOptions,
  { client, objects, log }: Manifest,
): Promise<ManifestToRemove> {
  const { signal } = context;
  const { namespace } = options;
  const unknown = (findings: readonly Finding[], cause?: unknown): void => {
    if (options.prune === true) throw new OpSdkError(findings, { cause });
    for (const finding of findings) log.warning(finding);
  };
  const parent = findParent(objects, namespace ?? client.connection.cluster.namespace);
  if (parent === undefined) {
    if (options.prune === true) unknown([noInventory]);
    return { objects };
  }
  const removal = await openRemoval({
    ...{ client, parent, objects, namespace },
    ...{ tooling: inventoryTooling(), signal },
  });
  for (const warning of removal.warnings) log.warning(warning);
  if (removal.refused !== undefined) {
    unknown(removal.refused.findings, removal.refused);
    return { objects: removal.objects };
  }
  if (removal.unread.size > 0) unknown([unreadFinding(removal.unread)]);
  const { prunable, kept } = removal.leftovers;
  if (kept.length > 0 && options.prune !== false) log.warning(keptFinding(kept));
  const isMeant =
    prunable.length > 0 &&
    (await askToPrune(context, options, {
      command: 'undeploy',
      question: 'Delete these objects too?',
      members: prunable,
      log,
    }));
  const isNeeded = (prunable.length > 0 && !isMeant) || removal.unread.size > 0;
  const goesAnyway = removal.objects.some(
    ({ object: { apiVersion, kind, metadata } }) =>
      apiVersion === 'v1' && kind === 'Namespace' && metadata.name === parent.namespace,
  );
  return {
    objects: [...removal.objects, ...(isMeant ? prunable : [])],
    ownObjects: removal.secret === undefined || (isNeeded && !goesAnyway) ? [] : [removal.secret],
  };
}
