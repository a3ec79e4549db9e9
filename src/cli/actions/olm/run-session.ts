import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OlmVersion } from '../../../olm/catalog/index.ts';
import type { KubeObject } from '../../../sdk/api/index.ts';
import { applyObjects, patientClient } from '../../../cluster/index.ts';
import { type Finding, FindingList, OpSdkError } from '../../../base/errors/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import {
  placedObject,
  serveByPod,
  tooOldForBundle,
  waitInstalled,
  type Installation,
  type PodCatalog,
} from '../../../olm/run/index.ts';
import type { ManifestObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import type { RunBundleOptions } from '../../flags/olm-flags.ts';
import { objectLog } from '../../ui/object-lines.ts';
import { connect } from '../cluster/connect.ts';
import { exclusiveFlags, durationFlag } from '../input/flag-values.ts';
import { Secret } from '../../../sdk/k8s/generated/core/v1.ts';
import { chooseOlm } from './olm-release.ts';
import { openBundleToRun, type BundleToRun } from './open-bundle-to-run.ts';
import type { RunImages } from './pod-catalog.ts';

/** Default time to wait until the operator runs, in milliseconds. */
const defaultTimeout = 300_000;

/** Opened bundle and cluster of a command that installs or upgrades an operator. */
export interface RunSession {
  readonly client: KubeClient;
  readonly olm: OlmVersion;
  readonly bundle: BundleToRun;
  /** Namespace in which the operator runs. */
  readonly namespace: string;
  readonly registry: RegistryFlags;
}

/** Objects to apply to the cluster after the images have been pushed. */
export interface RunPlan {
  /**
   * Catalogue that a Pod serves, and the catalogue's CatalogSource if that CatalogSource already exists. Undefined if no Pod serves the
   * catalogue. The Pod must serve the catalogue before `objects` are applied.
   */
  readonly pod?: { readonly catalog: PodCatalog; readonly existing: KubeObject | undefined };
  readonly objects: readonly ManifestObject[];
  /** Installation that OLM is expected to create from the objects. */
  readonly installation: Installation;
  readonly images: RunImages | { readonly bundle: string; readonly index: string };
}

/**
 * Opens the bundle and the cluster, calls `plan`, applies the returned objects and waits until the operator runs.
 * @param plan returns the objects to apply; must check that OLM can install the bundle before it pushes any image
 * @throws OpSdkError with all findings, before any object is applied
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
    // Only OLM v1 needs this check, since OLM v0 itself refuses a bundle that needs a newer Kubernetes than the cluster has.
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
    // The timeout includes the time that passed until the Pod served the catalogue, so that time is subtracted.
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

/**
 * Refuses flags that only OLM v0 supports.
 *
 * @throws OpSdkError `olm/flag-of-other-version`, one finding for each flag
 */
function checkFlagsOfV0(
  olm: OlmVersion,
  options: RunBundleOptions & { readonly installMode?: string },
): void {
  if (olm === 'v0') return;
  const findings = new FindingList();
  for (const [flag, value, fix] of [
    ['--install-mode', options.installMode, 'leave it out: OLM v1 installs operators for all namespaces'],
    ...podFlags(options).map(
      ([flag, value]) =>
        [flag, value, 'leave it out: OLM v1 reads catalogues from images; push one with --push-to'] as const,
    ),
    [
      '--pull-secret-name',
      options.pullSecretName,
      'leave it out: OLM v1 pulls by the pull secrets of its own namespace and of its ServiceAccounts',
    ],
    [
      '--security-context-config',
      options.securityContextConfig,
      'leave it out: OLM v1 reads catalogues without a Pod for each',
    ],
  ] as const)
    if (value !== undefined)
      findings.add({
        code: 'olm/flag-of-other-version',
        message: `${flag} is for OLM v0 only, and this command installs with OLM v1`,
        where: { flag },
        fix: [fix],
      });
  findings.throwIfAny();
}

/** Returns the flags for the Pod that serves a catalogue in ConfigMaps, with their values. */
function podFlags({ indexImage, decompressionImage, imagePullPolicy, serviceAccount }: RunBundleOptions) {
  return [
    ['--index-image', indexImage],
    ['--decompression-image', decompressionImage],
    ['--image-pull-policy', imagePullPolicy],
    ['--service-account', serviceAccount],
  ] as const;
}

/** Key of the certificate in the Secret that `--ca-secret-name` names. operator-sdk uses the same key. */
const certificateKey = 'cert.pem';

/** File with the certificate authority of the registry. The file exists until this object is disposed of. */
interface CaSecret extends AsyncDisposable {
  readonly caFile: string;
}

/**
 * Reads the certificate authority of the registry from the Secret that `--ca-secret-name` names.
 * @param connect returns a client of the cluster; called only if `--ca-secret-name` is given
 * @returns undefined if `--ca-secret-name` is not given
 * @throws OpSdkError `olm/ca-secret`, `cli/invalid-value`
 */
async function openCaSecret(
  connect: () => Promise<KubeClient>,
  { caSecretName: name, caFile, namespace: named }: RunBundleOptions,
  signal: AbortSignal,
): Promise<CaSecret | undefined> {
  if (name === undefined) return undefined;
  if (caFile !== undefined) throw new OpSdkError(exclusiveFlags('--ca-secret-name', '--ca-file'));
  const encoded = await readCertificate(await connect(), { name, namespace: named, signal });
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-ca-'));
  const file = join(folder, certificateKey);
  await writeFile(file, Buffer.from(encoded, 'base64'));
  return { caFile: file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function readCertificate(
  client: KubeClient,
  { name, namespace: named, signal }: { name: string; namespace: string | undefined; signal: AbortSignal },
): Promise<string> {
  try {
    const namespace = named ?? client.connection.cluster.namespace;
    const secret = await client.find(Secret, { name, namespace }, { signal });
    const encoded = secret?.data?.[certificateKey];
    if (encoded === undefined) throw unreadable({ name, namespace, isThere: secret !== undefined });
    return encoded;
  } finally {
    await client.close();
  }
}

function unreadable(secret: {
  readonly name: string;
  readonly namespace: string;
  readonly isThere: boolean;
}): OpSdkError {
  const { name, namespace, isThere } = secret;
  return new OpSdkError({
    code: 'olm/ca-secret',
    message: isThere
      ? `the Secret ${name} of the namespace ${namespace} has no ${certificateKey}`
      : `the Secret ${name} does not exist in the namespace ${namespace}`,
    where: { flag: '--ca-secret-name' },
    fix: [
      `kubectl create secret generic ${name} -n ${namespace} --from-file=${certificateKey}=FILE`,
      'or name the file: --ca-file FILE',
    ],
  });
}
