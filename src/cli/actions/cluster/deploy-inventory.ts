import {
  outcomeOf,
  findParent,
  keptFinding,
  leftOverFinding,
  openInventory,
  pruneMembers,
  unreadFinding,
  type Inventory,
  type Leftovers,
  type Member,
} from '../../../cluster/index.ts';
import { isOpSdkError, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import type {
  ClusterOptions,
  ManifestOptions,
  NamespaceOptions,
  PruneOptions,
} from '../../flags/cluster-flags.ts';
import { packageInfo } from '../../package-info.ts';
import type { ObjectLog } from '../../ui/object-lines.ts';
import { askYesOrNo } from '../../ui/prompts.ts';
import type { AppliedManifest } from './apply-manifest.ts';

interface InventoryOptions extends ClusterOptions, ManifestOptions, NamespaceOptions, PruneOptions {
  readonly dir: string | undefined;
  readonly dryRun: boolean | undefined;
  readonly takeOver: boolean | undefined;
}

interface Manifest {
  readonly client: KubeClient;
  readonly objects: readonly PlacedObject[];
}

/** Returns the tool and version that manage the inventory, in the form that the ApplySet specification prescribes. */
export function inventoryTooling(): string {
  return `op-sdk/${packageInfo().version}`;
}

/**
 * Reads the inventory of the operator that the manifests define, without writing anything. If no inventory can be opened, the deploy
 * continues without pruning and reports a warning; with `--prune`, it fails.
 * @throws OpSdkError with all findings
 */
export async function bringInventory(
  { signal }: CliContext,
  { prune, takeOver, filename, namespace }: InventoryOptions,
  { client, objects }: Manifest,
): Promise<{ readonly inventory: Inventory | undefined; readonly warnings: readonly Finding[] }> {
  const without = (findings: readonly Finding[], cause?: unknown) => {
    if (prune === true) throw new OpSdkError(findings, { cause });
    return { inventory: undefined, warnings: findings };
  };
  const parent = findParent(objects, namespace ?? client.connection.cluster.namespace);
  if (parent === undefined) {
    const isOperator = filename === undefined || objects.some(({ object }) => object.kind === 'Deployment');
    // `--filename` may name manifests without an operator. In that case, the inventory is expected to be missing, so no warning is needed.
    return isOperator || prune === true ? without([noInventory]) : { inventory: undefined, warnings: [] };
  }
  try {
    const tooling = inventoryTooling();
    const inventory = await openInventory({
      ...{ client, parent, objects, namespace },
      ...{ takeOver, tooling, signal },
    });
    const { unread } = inventory;
    if (unread.size === 0) return { inventory, warnings: [] };
    return { ...without([unreadFinding(unread)]), inventory };
  } catch (error) {
    if (!isOpSdkError(error) || error.code !== 'cluster/inventory-forbidden') throw error;
    return without(error.findings, error);
  }
}

/** Returns warnings about objects on the cluster that the manifests no longer contain and that are not reported as pruned. */
export function leftoverWarnings(
  options: Omit<InventoryOptions, 'dryRun' | 'takeOver'>,
  { prunable, kept }: Leftovers,
): readonly Finding[] {
  if (options.prune === false) return [];
  const isListed = prunable.length > 0 && options.prune === undefined;
  return [
    ...(kept.length > 0 ? [keptFinding(kept)] : []),
    ...(isListed ? [leftOverFinding(prunable, [pruneCommand('deploy', options)])] : []),
  ];
}

/** Finding for manifests from which the owner of the inventory cannot be determined. */
export const noInventory: Finding = {
  code: 'cluster/no-inventory',
  message:
    'op-sdk keeps no inventory of the deployed objects: it cannot determine from the manifests which Deployment is the operator',
  where: { object: 'the Deployments of the manifests' },
  fix: [
    'let the name of the Deployment of the operator end in controller-manager, and the name of no other Deployment',
  ],
};

/**
 * Deletes the objects that the manifests no longer contain, if the flags or a prompt confirm it. Records the remaining objects in the
 * inventory, including the old objects that are kept.
 * @throws OpSdkError if an object could not be deleted; Interrupted
 */
export async function settleInventory(
  context: CliContext,
  options: InventoryOptions,
  client: KubeClient,
  { applied, inventory, log }: AppliedManifest,
): Promise<void> {
  if (inventory === undefined) return;
  const { dryRun } = options;
  const { signal } = context;
  const { prunable, kept } = inventory.leftovers(applied);
  if (kept.length > 0 && options.prune !== false) log.warning(keptFinding(kept));
  const isMeant =
    prunable.length > 0 &&
    (await askToPrune(context, options, {
      command: 'deploy',
      question: 'Delete these objects? This cannot be undone.',
      members: prunable,
      log,
    }));
  // A dry run does not prompt: list all objects that may be pruned.
  if (dryRun === true && options.prune === undefined)
    for (const member of prunable) log.outcome(outcomeOf(member, 'pruned'), member.title);
  const gone = isMeant
    ? await pruneMembers({
        client,
        id: inventory.id,
        members: prunable,
        dryRun,
        signal,
        onOutcome: (outcome, title) => log.outcome(outcome, title),
      })
    : [];
  if (dryRun !== true) await inventory.settle(gone);
}

type PruneCommand = Parameters<typeof pruneCommand>;

/**
 * Decides whether to delete the objects that the manifests no longer contain. `--prune` or `--no-prune` decides; without these flags, a
 * prompt asks. If the prompt is not answered, the objects are kept and listed in a warning.
 */
export async function askToPrune(
  context: CliContext,
  options: PruneCommand[1] & PruneOptions & { readonly dryRun: boolean | undefined },
  {
    command,
    question,
    members,
    log,
  }: {
    readonly command: PruneCommand[0];
    readonly question: string;
    readonly members: readonly Member[];
    readonly log: ObjectLog;
  },
): Promise<boolean> {
  if (options.prune !== undefined) return options.prune;
  const finding = leftOverFinding(members, [pruneCommand(command, options)]);
  // The prompt is not shown for `--filename`, which may name only a part of the deployed manifests. The prompt could then offer to delete
  // objects that are still in use.
  if (!context.interactive || options.filename !== undefined || options.dryRun === true) {
    log.warning(finding);
    return false;
  }
  const { fix: _fix, ...listed } = finding;
  context.report.warn(listed);
  return (await askYesOrNo(context, question, false)) === true;
}

/**
 * Returns the command that deletes the objects that the manifests no longer contain. The command has the flags that select the same
 * manifests and cluster.
 */
function pruneCommand(
  command: 'deploy' | 'undeploy',
  options: ClusterOptions & ManifestOptions & { readonly dir: string | undefined },
): string {
  const flags = [
    ...(options.filename ?? []).map((file) => `-f ${file}`),
    ...(options.dir === undefined ? [] : [`--dir ${options.dir}`]),
    ...(options.kubeconfig === undefined ? [] : [`--kubeconfig ${options.kubeconfig}`]),
    ...(options.context === undefined ? [] : [`--context ${options.context}`]),
  ];
  return ['delete them: op-sdk', command, ...flags, '--prune'].join(' ');
}
