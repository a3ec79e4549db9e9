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
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import type { ObjectLog } from '../ui/object-lines.ts';
import { removeManifest, type ManifestToRemove } from '../actions/cluster/remove-manifest.ts';
import { exclusiveFlags } from '../actions/input/flag-values.ts';
import { deployedFolder, manifestInput } from '../actions/input/manifests.ts';
import { inventoryTooling, noInventory, askToPrune } from '../actions/cluster/deploy-inventory.ts';

export const command = defineCommand({
  flags: {
    ...manifestFlag,
    dir: flag.text('folder', 'the kustomization that was deployed (default: config/default)'),
    prune: pruneFlag(
      'also delete what earlier deploys have written and the manifests no longer name, without asking; --no-prune: keep it',
    ),
    'keep-crds': flag.boolean(
      'delete the operator alone: keep definitions, custom resources, and what belongs to them',
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

With --keep-crds nothing is deleted that the manifest does not name: definitions and custom resources stay, and so does
a namespace with other objects in it. Another deploy takes them over. Until then nobody removes the finalizers of
custom resources, or converts them.

With another kustomize:
  kustomize build config/default | op-sdk undeploy -f -`,
  async run(context, options) {
    refuseContradictions(options);
    const folder = await deployedFolder(context, options);
    const objects = await manifestInput(context, options, { folder, pipeInto: 'op-sdk undeploy -f -' });
    return removeManifest(context, options, async (client, log) => ({
      ...(await undeployInventory(context, options, { client, objects, log })),
      keepCrds: options.keepCrds,
    }));
  },
});

export interface UndeployOptions extends RemoveManifestOptions, ManifestOptions, PruneOptions {
  readonly dir: string | undefined;
  readonly keepCrds: boolean;
}

/** Refuses the flags that agree to the loss of what `--keep-crds` keeps. */
function refuseContradictions({ keepCrds, yes, force }: UndeployOptions): void {
  const findings = new FindingList();
  if (keepCrds && yes) findings.add(exclusiveFlags('--keep-crds', '--yes'));
  if (keepCrds && force) findings.add(exclusiveFlags('--keep-crds', '--force'));
  findings.throwIfAny();
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
  const goesAnyway =
    !options.keepCrds &&
    removal.objects.some(
      ({ object: { apiVersion, kind, metadata } }) =>
        apiVersion === 'v1' && kind === 'Namespace' && metadata.name === parent.namespace,
    );
  return {
    objects: [...removal.objects, ...(isMeant ? prunable : [])],
    ownObjects: removal.secret === undefined || (isNeeded && !goesAnyway) ? [] : [removal.secret],
  };
}
