import {
  impactFinding,
  removeObjects,
  type DeletionImpact,
  type ObjectOutcome,
} from '../../../cluster/index.ts';
import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import type { KubeClient, ObjectKey } from '../../../sdk/kube/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import type { RemoveManifestOptions } from '../../flags/cluster-flags.ts';
import { Interrupted } from '../../ui/interrupted.ts';
import { objectLog, type ObjectLog } from '../../ui/object-lines.ts';
import { askYesOrNo } from '../../ui/prompts.ts';
import { durationFlag, namespaceInput } from '../input/flag-values.ts';
import { connect } from './connect.ts';

/** Default time limit, in milliseconds, of each wait until deleted objects are gone. */
const defaultTimeout = 120_000;

/** Manifest whose objects are deleted. */
export interface ManifestToRemove {
  readonly objects: readonly PlacedObject[];
  /** Objects that op-sdk itself has written. They are deleted after all objects of the manifest, and no line is printed for them. */
  readonly ownObjects?: readonly PlacedObject[];
  /** Value of `--keep-crds`; undefined for a command without this flag. */
  readonly keepCrds?: boolean | undefined;
}

/**
 * Deletes objects from the cluster that the flags select, and prints a line for each object.
 * @param prepare returns the objects to delete; called once the cluster is known
 */
export async function removeManifest(
  context: CliContext,
  options: RemoveManifestOptions,
  prepare: (client: KubeClient, log: ObjectLog) => Promise<ManifestToRemove>,
): Promise<CommandOutcome> {
  const timeout = durationFlag('--timeout', options.timeout, defaultTimeout);
  const namespace = namespaceInput(options);
  const dryRun = options.dryRun === true;
  const log = objectLog(context, { dryRun, json: options.output === 'json' });
  const result = { dryRun, objects: log.outcomes };
  const client = await connect(context, options);
  try {
    const { objects, ownObjects = [], keepCrds } = await prepare(client, log);
    const isOwn = (kind: string, key: ObjectKey): boolean =>
      ownObjects.some(
        ({ object: { kind: ownKind, metadata } }) =>
          ownKind === kind && metadata.name === key.name && metadata.namespace === key.namespace,
      );
    await removeObjects({
      client,
      objects: [...objects, ...ownObjects],
      isLast: ({ resource, key }) => isOwn(resource.kind, key),
      namespace,
      dryRun,
      force: options.force === true,
      keepCrds,
      timeout: options.wait === false ? undefined : timeout,
      signal: context.signal,
      onImpact: async (impacts) => {
        const canKeep = keepCrds !== undefined;
        for (const warning of await confirmDeletion(context, options, { impacts, canKeep }))
          log.warning(warning);
      },
      onWarning: (warning) => log.warning(warning),
      onOutcome: (outcome, title) => {
        if (!isOwn(outcome.kind, outcome)) log.outcome(outcome, title);
      },
      onProgress: (line) => context.report.step(line),
    });
    const errors = options.ignoreNotFound === false ? notFound(log.outcomes) : [];
    return { result, warnings: log.warnings, errors };
  } catch (error) {
    return log.failed(error, result);
  } finally {
    await client.close();
  }
}

/**
 * Asks for confirmation of the deletion if a prompt is possible.
 * @returns warnings about the effects of the deletion, if no prompt was shown
 * @throws OpSdkError `cluster/objects-lost` if `--yes` was not given and a prompt is not possible
 */
async function confirmDeletion(
  context: CliContext,
  { yes, dryRun }: RemoveManifestOptions,
  { impacts, canKeep }: { readonly impacts: readonly DeletionImpact[]; readonly canKeep: boolean },
): Promise<readonly Finding[]> {
  const warnings = impacts.map((impact) => impactFinding(impact));
  if (yes === true || dryRun === true) return warnings;
  if (!context.interactive)
    throw new OpSdkError(impacts.map((impact) => impactFinding(impact, { refused: true, canKeep })));
  for (const warning of warnings) context.report.warn(warning);
  const message = 'Delete these objects? This cannot be undone.';
  if ((await askYesOrNo(context, message, false)) !== true) throw new Interrupted();
  return [];
}

function notFound(outcomes: readonly ObjectOutcome[]): readonly Finding[] {
  return outcomes
    .filter(({ action }) => action === 'not-found')
    .map(({ kind, name, namespace }) => ({
      code: 'kube/not-found',
      message: `${kind} ${namespace === undefined ? name : `${namespace}/${name}`} is not on the cluster`,
      fix: ['leave out --ignore-not-found=false if that is expected'],
    }));
}
