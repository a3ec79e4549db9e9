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
  /** Maximum duration of each wait for objects. Default: depends on what the command waits for. */
  readonly timeout: string | undefined;
  readonly dryRun: boolean | undefined;
  readonly output: string | undefined;
}

export interface ManifestToApply {
  readonly objects: readonly PlacedObject[];
  /** Files that the command changed before it applied the objects. They are listed in the command's result. */
  readonly files?: PlanResult['files'];
  /** Warnings that are reported before anything is applied. */
  readonly warnings?: readonly Finding[];
  /**
   * Inventory that records the applied objects as its members. If it is given, its `objects` are applied instead of the objects of the
   * manifest.
   */
  readonly inventory?: Inventory | undefined;
}

/** Objects that have been applied so far. */
export interface AppliedManifest {
  readonly applied: readonly AppliedObject[];
  readonly inventory: Inventory | undefined;
  readonly log: ObjectLog;
}

/**
 * Applies objects to the cluster that the flags select, prints a line for each object, and then calls `after`. If a step fails after some
 * objects have been written, the outcome lists these objects beside the findings.
 * @param prepare returns the objects to apply; called once the cluster is known
 * @param after called once all objects exist; in a dry run, once the API server has accepted them
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
