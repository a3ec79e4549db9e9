import type { OlmVersion } from '../../../catalog/index.ts';
import { applyObjects } from '../../../cluster/index.ts';
import type { KubeClient } from '../../../kube/index.ts';
import { placedObject, waitInstalled, type Installation } from '../../../olm/index.ts';
import type { ManifestObject } from '../../../yaml/manifest-object.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import type { RunBundleOptions } from '../../flags/run-bundle-flags.ts';
import { objectLog } from '../../ui/object-lines.ts';
import { connect } from '../cluster/connect.ts';
import { durationFlag } from '../input/duration-flag.ts';
import { chooseOlm } from './choose-olm.ts';
import { checkFlagsOfV0 } from './check-flags-of-v0.ts';
import { openBundleToRun, type BundleToRun } from './open-bundle-to-run.ts';

/** Milliseconds. */
const defaultTimeout = 300_000;

/** What a command of `run bundle` works with. */
export interface RunSession {
  readonly client: KubeClient;
  readonly olm: OlmVersion;
  readonly bundle: BundleToRun;
  /** Where the operator runs. */
  readonly namespace: string;
}

/** What is put on the cluster, once the images are pushed. */
export interface RunPlan {
  readonly objects: readonly ManifestObject[];
  /** What OLM is expected to make of it. */
  readonly installation: Installation;
  readonly images: { readonly bundle: string; readonly catalog: string };
}

/**
 * Opens the bundle and the cluster, has a plan made, carries it out and waits until the operator runs.
 *
 * @param plan checks that OLM can do it before it pushes anything
 * @throws OpSdkError with all findings; nothing is on the cluster then
 */
export async function runSession(
  context: CliContext,
  options: RunBundleOptions,
  text: string,
  plan: (session: RunSession) => Promise<RunPlan>,
): Promise<CommandOutcome> {
  const { signal } = context;
  const timeout = durationFlag('--timeout', options.timeout, defaultTimeout);
  await using bundle = await openBundleToRun(context, text, options);
  const client = await connect(context, options);
  const log = objectLog(context, { dryRun: false, json: options.output === 'json' });
  const { packageName, csv, version } = bundle;
  let result: object = { package: packageName, name: csv, version, objects: log.outcomes };
  try {
    const olm = await chooseOlm(client, options.olm, signal);
    checkFlagsOfV0(olm, options);
    const namespace = options.namespace ?? client.connection.cluster.namespace;
    const { objects, installation, images } = await plan({ client, olm, bundle, namespace });
    result = { ...result, olm, namespace, images };
    await applyObjects({
      client,
      objects: objects.map(placedObject),
      signal,
      onOutcome: (outcome, { title }) => log.outcome(outcome, title),
      onWarning: (warning) => log.warning(warning),
    });
    await waitInstalled({
      client,
      installation,
      timeout,
      signal,
      onProgress: (line) => context.report.step(line),
    });
    return { result, warnings: log.warnings, text: `OLM ${olm} has installed ${csv}` };
  } catch (error) {
    if (log.outcomes.length > 0) context.report.info(`to remove it: op-sdk cleanup ${packageName}`);
    return log.failed(error, result);
  } finally {
    await client.close();
  }
}
