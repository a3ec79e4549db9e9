import { defineCommand, type CliContext } from '../command.ts';
import {
  runBundleFlags,
  runBundleArgument,
  withoutAliases,
  type RunBundleOptions,
} from '../flags/olm-flags.ts';
import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt, textOf } from '../../olm/bundle/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import {
  catalogSource,
  checkSameBundle,
  checkUpgrade,
  installedByV0,
  installedByV1,
  isInstalled,
  isOwnCatalog,
  objectsOfV1,
  runNames,
  servedByPod,
  unfinishedV0,
  unfinishedV1,
  type Installation,
  type UnfinishedRun,
} from '../../olm/run/index.ts';
import type { RegistryFlags } from '../flags/registry-flags.ts';
import { type BundleToRun, checkPodFlags } from '../actions/olm/open-bundle-to-run.ts';
import { catalogInConfigMaps, podCatalog, pushRunBundle, pushRunImages } from '../actions/olm/pod-catalog.ts';
import type { Predecessor } from '../actions/olm/run-catalog.ts';
import { runSession, type RunPlan, type RunSession } from '../actions/olm/run-session.ts';

export const command = defineCommand({
  arguments: [runBundleArgument],
  flags: {
    ...runBundleFlags,
  },
  help: `
Upgrades an operator that op-sdk run bundle has installed: adds the new bundle to its catalogue as the update of the
installed version, pushes the catalogue under a new tag, and waits until the new version runs. The bundle must be newer.`,
  run(context, parsed, [text = '']) {
    const options = withoutAliases(parsed);
    return runSession(context, options, text, (session) =>
      session.olm === 'v1' ? upgradeByV1(context, session, options) : upgradeByV0(context, session, options),
    );
  },
});

/** Plans the upgrade of an operator that a ClusterExtension installs. */
async function upgradeByV1(
  context: CliContext,
  { client, bundle, namespace, registry }: RunSession,
  options: RunBundleOptions,
): Promise<RunPlan> {
  const { signal } = context;
  const { packageName, csv, version, deployments, definitions } = bundle;
  const [installed] = await installedByV1(client, packageName, signal);
  if (installed === undefined) throw notInstalled(packageName, namespace);
  const { extension, catalog } = installed;
  const catalogImage = textOf(fieldAt(catalog, 'spec', 'source', 'image', 'ref'));
  const names = {
    ...runNames(packageName, csv),
    catalog: installed.source,
    extension: extension.metadata.name ?? '',
  };
  const runsIn = textOf(fieldAt(extension, 'spec', 'namespace'));
  const target = { names, packageName, csv, version, namespace: runsIn };
  const planned: PlannedInstallation = { ...target, olm: 'v1', deployments, definitions };
  checkPodFlags(options, { isServedByPod: false, bundle });
  const isBegun = installed.csv === csv && isOwnCatalog(bundle, installed);
  if (isBegun && !(await isInstalled(client, planned, signal)))
    return continued(context, { bundle, planned, registry, catalogImage }, unfinishedV1(installed, version));
  checkUpgrade(bundle, installed);
  const images = await pushRunImages(context, bundle, registry, predecessorOf(installed, catalogImage));
  return {
    objects: objectsOfV1({ ...target, catalogImage: images.catalog }),
    installation: { ...planned, bundleImage: images.bundle },
    images,
  };
}

/** Plans the upgrade of an operator that a Subscription installs. */
async function upgradeByV0(
  context: CliContext,
  session: RunSession,
  options: RunBundleOptions,
): Promise<RunPlan> {
  const { signal } = context;
  const { client, bundle, namespace, registry } = session;
  const { packageName, csv, version, deployments, definitions } = bundle;
  const [installed] = await installedByV0(client, packageName, namespace, signal);
  if (installed === undefined) throw notInstalled(packageName, namespace);
  const { subscription, catalog } = installed;
  const names = {
    ...runNames(packageName, csv),
    catalog: installed.source,
    subscription: subscription.metadata.name ?? '',
  };
  const target = { names, packageName, csv, version, namespace };
  const planned: PlannedInstallation = { ...target, olm: 'v0', deployments, definitions };
  const catalogImage = textOf(fieldAt(catalog, 'spec', 'image'));
  const current = textOf(fieldAt(subscription, 'status', 'currentCSV'));
  const isBegun = installed.csv !== '' && current === csv && isOwnCatalog(bundle, installed);
  if (isBegun && !(await isInstalled(client, planned, signal)))
    return continued(
      context,
      { bundle, planned, registry, catalogImage },
      await unfinishedV0(client, installed, csv, signal),
    );
  checkUpgrade(bundle, installed);
  const indexImage = options.indexImage ?? servedByPod(catalog)?.indexImage;
  checkPodFlags(options, { isServedByPod: indexImage !== undefined, bundle });
  const source = {
    pullSecret: options.pullSecretName ?? pullSecretOf(catalog),
    securityContext: options.securityContextConfig ?? securityContextOf(catalog),
  };
  if (indexImage !== undefined)
    return upgradePodCatalog(context, session, options, { installed, planned, source, indexImage });
  const images = await pushRunImages(context, bundle, registry, predecessorOf(installed, catalogImage));
  return {
    objects: [catalogSource({ ...target, catalogImage: images.catalog }, { ...source, existing: catalog })],
    installation: { ...planned, bundleImage: images.bundle },
    images,
  };
}

/** Plans the upgrade of an operator whose catalogue is served by a Pod: the Pod serves the new bundle beside those that it already serves. */
async function upgradePodCatalog(
  context: CliContext,
  { client, bundle, namespace, registry }: RunSession,
  options: RunBundleOptions,
  {
    installed: { csv, catalog },
    planned,
    source,
    indexImage,
  }: {
    readonly installed: { readonly csv: string; readonly catalog: KubeObject | undefined };
    readonly planned: PlannedInstallation;
    readonly source: {
      readonly pullSecret: string | undefined;
      readonly securityContext: 'restricted' | 'legacy';
    };
    readonly indexImage: string;
  },
): Promise<RunPlan> {
  const former = textOf(fieldAt(catalog, 'spec', 'image'));
  const before =
    former === '' ? await catalogInConfigMaps(client, catalog, context.signal) : { image: former };
  const image = await pushRunBundle(context, bundle, registry);
  const made = await podCatalog(
    context,
    {
      ...{ bundle, image, names: planned.names, namespace, indexImage, registry, ...source },
      bundles: servedByPod(catalog)?.bundles ?? [],
      predecessor: { csv, catalog: before },
    },
    options,
  );
  return {
    pod: { catalog: made, existing: catalog },
    objects: [],
    installation: { ...planned, bundleImage: image },
    images: { bundle: image, index: indexImage },
  };
}

type PlannedInstallation = Omit<Installation, 'bundleImage'>;

/**
 * Continues an update that OLM has already found in the catalogue, so no objects are applied. @throws OpSdkError `olm/other-bundle`,
 * `oci/…`
 */
async function continued(
  context: CliContext,
  {
    bundle,
    planned,
    registry,
    catalogImage,
  }: {
    readonly bundle: BundleToRun;
    readonly planned: PlannedInstallation;
    readonly registry: RegistryFlags;
    readonly catalogImage: string;
  },
  unfinished: UnfinishedRun,
): Promise<RunPlan> {
  const image = await pushRunBundle(context, bundle, registry);
  checkSameBundle(planned, unfinished, { bundle: image });
  context.report.step(`continuing the upgrade to ${planned.csv}: ${unfinished.object}`);
  return {
    objects: [],
    installation: { ...planned, bundleImage: image },
    images: { bundle: image, catalog: catalogImage },
  };
}

/** Returns the pull secret of the installation's catalogue; undefined if it has none. operator-sdk writes `''` for none. */
function pullSecretOf(catalog: KubeObject | undefined): string | undefined {
  const secret = textOf(fieldAt(catalog, 'spec', 'secrets', 0));
  return secret === '' ? undefined : secret;
}

/** Returns the security context setting of the installation's catalogue. operator-sdk's default is `legacy`. */
function securityContextOf(catalog: KubeObject | undefined): 'restricted' | 'legacy' {
  const config = fieldAt(catalog, 'spec', 'grpcPodConfig', 'securityContextConfig');
  return config === 'legacy' ? config : 'restricted';
}

/** Returns the installed version of the operator together with the image of its catalogue. */
function predecessorOf({ csv }: { readonly csv: string }, image: string): Predecessor {
  return { csv, catalog: image === '' ? undefined : { image } };
}

function notInstalled(packageName: string, namespace: string): OpSdkError {
  return new OpSdkError({
    code: 'olm/package-not-installed',
    message: `${packageName} is not installed`,
    where: { object: packageName },
    fix: [
      'install it: op-sdk run bundle BUNDLE',
      `or name its namespace, if that is not ${namespace}: --namespace NAME`,
    ],
  });
}
