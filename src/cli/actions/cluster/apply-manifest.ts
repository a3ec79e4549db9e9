import { applyObjects, type AppliedObject, type Inventory } from '../../../cluster/index.ts';
import type { Finding } from '../../../base/errors/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import type { ClusterOptions, NamespaceOptions } from '../../flags/cluster-flags.ts';
import { objectLog, type ObjectLog } from '../../ui/object-lines.ts';
import type { PlanResult } from '../files/apply-plan.ts';
import { durationFlag, namespaceInput } from '../input/flag-values.ts';
import { connect } from './connect.ts';

interface ApplyManifestOptions extends ClusterOptions, NamespaceOptions {
  /** Bounds each wait. Default: that of the wait. */
  readonly timeout: string | undefined;
  readonly dryRun: boolean | undefined;
  readonly output: string | undefined;
}

export interface ManifestToApply {
  readonly objects: readonly PlacedObject[];
  /** Files that were changed on the way, for the result. */
  readonly files?: PlanResult['files'];
  /** Reported before anything is applied. */
  readonly warnings?: readonly Finding[];
  /** Where members are recorded; its objects are applied. */
  readonly inventory?: Inventory | undefined;
}

/** Objects that were applied so far. */
export interface AppliedManifest {
  readonly applied: readonly AppliedObject[];
  readonly inventory: Inventory | undefined;
  readonly log: ObjectLog;
}

/**
 * Puts objects on the cluster of the flags, prints a line for each, and then does what comes after. Findings that come once
 * objects have been written end up beside them in the outcome, so that nobody is left in doubt about what was done.
 *
 * @param prepare gives the objects; called once it is known which cluster is meant
 * @param after what follows once all objects are there; in a dry run once it is known that they could be
 */
export async function applyManifest(
  context: CliContext,
  options: ApplyManifestOptions,
  prepare: (client: KubeClient) => Promise<ManifestToApply>,
  after?: (client: KubeClient, manifest: AppliedManifest) => Promise<void>,
): Promise<CommandOutcome> {
  const { signal } = context;
  const dryRun = options.dryRun === true;
  const establishTimeout =
    options.timeout === undefined ? undefined : durationFlag('--timeout', options.timeout, 0);
  const namespace = namespaceInput(options);
  const client = await connect(context, options);
  try {
    const { objects, files = [], warnings = [], inventory } = await prepare(client);
    const log = objectLog(context, { dryRun, json: options.output === 'json' });
    const result = { dryRun, ...(files.length === 0 ? {} : { files }), objects: log.outcomes };
    for (const warning of warnings) log.warning(warning);
    try {
      const applied = await applyObjects({
        client,
        objects: inventory?.objects ?? objects,
        namespace,
        dryRun,
        signal,
        establishTimeout,
        beforeWrite: inventory?.beforeWrite,
        onOutcome: (outcome, { title }) => log.outcome(outcome, title),
        onWarning: (warning) => log.warning(warning),
        onProgress: (line) => context.report.step(line),
      });
      await after?.(client, { applied, inventory, log });
      return { result, warnings: log.warnings };
    } catch (error) {
      return log.failed(error, result);
    }
  } finally {
    await client.close();
  }
}
