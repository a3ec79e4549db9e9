import type { OlmVersion } from '../../../olm/catalog/index.ts';
import type { KubeObject } from '../../../sdk/api/index.ts';
import { applyObjects, patientClient } from '../../../cluster/index.ts';
import type { Finding } from '../../../base/errors/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import {
  placedObject,
  serveByPod,
  tooOldForBundle,
  waitInstalled,
  type Installation,
  type PodCatalog,
} from '../../../olm/run/index.ts';
import type { ManifestObject } from '../../../kubernetes/yaml/manifest-object.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import type { RunBundleOptions } from '../../flags/run-bundle-flags.ts';
import { objectLog } from '../../ui/object-lines.ts';
import { connect } from '../cluster/connect.ts';
import { durationFlag } from '../input/duration-flag.ts';
import { openCaSecret } from './ca-secret.ts';
import { chooseOlm } from './choose-olm.ts';
import { checkFlagsOfV0 } from './check-flags-of-v0.ts';
import { openBundleToRun, type BundleToRun } from './open-bundle-to-run.ts';
import type { RunImages } from './push-run-images.ts';

/** Milliseconds. */
const defaultTimeout = 300_000;

/** Session of a command of `run bundle`. */
export interface RunSession {
  readonly client: KubeClient;
  readonly olm: OlmVersion;
  readonly bundle: BundleToRun;
  /** Where the operator runs. */
  readonly namespace: string;
  /** Flags for the registry. */
  readonly registry: RegistryFlags;
}

/** Objects for the cluster, once the images are pushed. */
export interface RunPlan {
  /** The catalogue, if it is not an image, and its CatalogSource if that is there: served before the objects are applied. */
  readonly pod?: { readonly catalog: PodCatalog; readonly existing: KubeObject | undefined };
  readonly objects: readonly ManifestObject[];
  /** Installation that OLM is expected to make of it. */
  readonly installation: Installation;
  readonly images: RunImages | { readonly bundle: string; readonly index: string };
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
  await using ca = await openCaSecret(() => connect(context, options), options, signal);
  const registry = ca === undefined ? options : { ...options, caFile: ca.caFile };
  await using bundle = await openBundleToRun(context, text, registry);
  const connected = await connect(context, options);
  const onProgress = (line: string): void => context.report.step(line);
  const client = patientClient(connected, { onProgress });
  const log = objectLog(context, { dryRun: false, json: options.output === 'json' });
  const { packageName, csv, version } = bundle;
  let result: object = { package: packageName, name: csv, version, objects: log.outcomes };
  try {
    const olm = await chooseOlm(client, options.olm, signal);
    checkFlagsOfV0(olm, options);
    // OLM v0 refuses it by itself.
    const tooOld = olm === 'v1' ? await tooOldForBundle(client, bundle, signal) : undefined;
    if (tooOld !== undefined) log.warning(tooOld);
    const namespace = options.namespace ?? client.connection.cluster.namespace;
    const { pod, objects, installation, images } = await plan({ client, olm, bundle, namespace, registry });
    result = { ...result, olm, namespace, images };
    const onWarning = (warning: Finding): void => log.warning(warning);
    const started = performance.now();
    if (pod !== undefined)
      await serveByPod({
        ...{ ...pod, client, next: objects, timeout, signal, onProgress, onWarning },
        onOutcome: (outcome, title) => log.outcome(outcome, title),
      });
    await applyObjects({
      client,
      objects: objects.map(placedObject),
      signal,
      onOutcome: (outcome, { title }) => log.outcome(outcome, title),
      onWarning,
    });
    // What the Pod needed is a part of it.
    const left = Math.max(timeout - (performance.now() - started), 0);
    await waitInstalled({
      client,
      installation,
      timeout: pod === undefined ? timeout : left,
      signal,
      onProgress,
    });
    return { result, warnings: log.warnings, text: `OLM ${olm} has installed ${csv}` };
  } catch (error) {
    if (log.outcomes.length > 0) {
      if (signal.aborted) context.report.info('to continue: run the same command again');
      context.report.info(`to remove it: op-sdk cleanup ${packageName}`);
    }
    return log.failed(error, result);
  } finally {
    await connected.close();
  }
}
