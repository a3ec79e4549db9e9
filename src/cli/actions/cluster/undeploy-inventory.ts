import {
  findParent,
  keptFinding,
  leftOverFinding,
  openRemoval,
  unreadFinding,
  type Member,
} from '../../../cluster/inventory/index.ts';
import { OpSdkError, type Finding } from '../../../errors/index.ts';
import type { KubeClient } from '../../../kube/index.ts';
import type { PlacedObject } from '../../../yaml/index.ts';
import type { CliContext } from '../../command.ts';
import type { ManifestOptions } from '../../flags/manifest-flag.ts';
import type { PruneOptions } from '../../flags/prune-flag.ts';
import type { RemoveManifestOptions } from '../../flags/remove-flags.ts';
import type { ObjectLog } from '../../ui/object-lines.ts';
import { askYesOrNo } from '../../ui/prompts.ts';
import { inventoryTooling, noInventory } from './deploy-inventory.ts';
import { pruneCommand } from './prune-command.ts';
import type { ManifestToRemove } from './remove-manifest.ts';

export interface UndeployOptions extends RemoveManifestOptions, ManifestOptions, PruneOptions {
  readonly dir?: string;
}

interface Manifest {
  readonly client: KubeClient;
  readonly objects: readonly PlacedObject[];
  readonly log: ObjectLog;
}

/**
 * What `undeploy` deletes: the objects of the manifests, what has left them before if that is wanted, and the inventory once nothing
 * remains for which it would be needed. Objects of other operators are left alone.
 *
 * @throws OpSdkError if it was asked to prune and cannot; Interrupted
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
  const isMeant = prunable.length > 0 && (await isToPrune(context, options, prunable, log));
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

async function isToPrune(
  context: CliContext,
  options: UndeployOptions,
  members: readonly Member[],
  log: ObjectLog,
): Promise<boolean> {
  if (options.prune !== undefined) return options.prune;
  const finding = leftOverFinding(members, [pruneCommand('undeploy', options)]);
  // A file may be a part of what was deployed.
  if (!context.interactive || options.filename !== undefined || options.dryRun === true) {
    log.warning(finding);
    return false;
  }
  const { fix: _fix, ...question } = finding;
  context.report.warn(question);
  return (await askYesOrNo(context, 'Delete these objects too?', false)) === true;
}
