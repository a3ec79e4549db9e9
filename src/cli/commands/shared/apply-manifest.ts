import { isOpSdkError, type Finding } from '../../../errors/index.ts';
import type { AppliedObject } from '../../../cluster/index.ts';
import type { KubeClient } from '../../../kube/index.ts';
import type { PlacedObject } from '../../../util/manifest-object.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import { connect, type ClusterOptions } from './cluster-flags.ts';
import { objectLog } from './object-lines.ts';

export interface ApplyManifestOptions extends ClusterOptions {
  readonly dryRun?: boolean;
  readonly output?: string;
}

export interface ApplyManifestSteps {
  /** Reported before anything is written. */
  readonly warnings?: readonly Finding[];
  /** What follows once all objects are there; not in a dry run. */
  readonly after?: (client: KubeClient, applied: readonly AppliedObject[]) => Promise<void>;
}

/**
 * Puts objects on the cluster of the flags, prints a line for each, and then does what comes after. Findings that come once objects
 * have been written end up beside them in the outcome, so that nobody is left in doubt about what was done.
 */
export async function applyManifest(
  context: CliContext,
  options: ApplyManifestOptions,
  objects: readonly PlacedObject[],
  { warnings = [], after }: ApplyManifestSteps = {},
): Promise<CommandOutcome> {
  const { applyObjects } = await import('../../../cluster/index.ts');
  const { signal } = context;
  const dryRun = options.dryRun === true;
  const client = await connect(context, options);
  const log = objectLog(context, { dryRun, json: options.output === 'json' });
  for (const warning of warnings) log.warning(warning);
  const result = { dryRun, objects: log.outcomes };
  try {
    const applied = await applyObjects({
      client,
      objects,
      dryRun,
      signal,
      onOutcome: (outcome, { title }) => log.outcome(outcome, title),
      onWarning: (warning) => log.warning(warning),
    });
    if (!dryRun) await after?.(client, applied);
    return { result, warnings: log.warnings };
  } catch (error) {
    if (!isOpSdkError(error) || log.outcomes.length === 0) throw error;
    return { result, warnings: log.warnings, errors: error.findings };
  } finally {
    await client.close();
  }
}
