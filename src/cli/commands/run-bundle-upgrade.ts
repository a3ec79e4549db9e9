import { defineCommand, type CliContext } from '../command.ts';
import { runBundleFlags, runBundleArgument, withoutAliases } from '../flags/olm-flags.ts';
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
import { runSession, type RunPlan } from '../actions/olm/run-session.ts';

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
    const { signal } = context;
    return runSession(context, options, text, async ({ client, olm, bundle, namespace, registry }) => {
      const { packageName, csv, version, deployments, definitions } = bundle;
      const own = runNames(packageName, csv);
      if (olm === 'v1') {
        const [installed] = await installedByV1(client, packageName, signal);
        if (installed === undefined) throw notInstalled(packageName, namespace);
        const { extension, catalog } = installed;
        const image = textOf(fieldAt(catalog, 'spec', 'source', 'image', 'ref'));
        const names = { ...own, catalog: installed.source, extension: extension.metadata.name ?? '' };
        const runsIn = textOf(fieldAt(extension, 'spec', 'namespace'));
        const target = { names, packageName, csv, version, namespace: runsIn };
        const planned = { ...target, olm, deployments, definitions };
        checkPodFlags(options, { isServedByPod: false, bundle });
        const isBegun = installed.csv === csv && isOwnCatalog(bundle, installed);
        if (isBegun && !(await isInstalled(client, planned, signal)))
          return continued(
            context,
            { bundle, planned, registry, catalogImage: image },
            unfinishedV1(installed, version),
          );
        checkUpgrade(bundle, installed);
        const images = await pushRunImages(context, bundle, registry, predecessorOf(installed, image));
        return {
          objects: objectsOfV1({ ...target, catalogImage: images.catalog }),
          installation: { ...planned, bundleImage: images.bundle },
          images,
        };
      }
      const [installed] = await installedByV0(client, packageName, namespace, signal);
      if (installed === undefined) throw notInstalled(packageName, namespace);
      const { subscription, catalog } = installed;
      const names = { ...own, catalog: installed.source, subscription: subscription.metadata.name ?? '' };
      const target = { names, packageName, csv, version, namespace };
      const planned = { ...target, olm, deployments, definitions };
      const former = textOf(fieldAt(catalog, 'spec', 'image'));
      const current = textOf(fieldAt(subscription, 'status', 'currentCSV'));
      const isBegun = installed.csv !== '' && current === csv && isOwnCatalog(bundle, installed);
      if (isBegun && !(await isInstalled(client, planned, signal)))
        return continued(
          context,
          { bundle, planned, registry, catalogImage: former },
          await unfinishedV0(client, installed, csv, signal),
        );
      checkUpgrade(bundle, installed);
      const served = servedByPod(catalog);
      const indexImage = options.indexImage ?? served?.indexImage;
      checkPodFlags(options, { isServedByPod: indexImage !== undefined, bundle });
      const pullSecret = options.pullSecretName ?? pullSecretOf(catalog);
      const securityContext = options.securityContextConfig ?? securityContextOf(catalog);
      if (indexImage !== undefined) {
        const before = former === '' ? await catalogInConfigMaps(client, catalog, signal) : { image: former };
        const image = await pushRunBundle(context, bundle, registry);
        const made = await podCatalog(
          context,
          {
            ...{ bundle, image, names, namespace, indexImage, pullSecret, securityContext, registry },
            bundles: served?.bundles ?? [],
            predecessor: { csv: installed.csv, catalog: before },
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
      const images = await pushRunImages(context, bundle, registry, predecessorOf(installed, former));
      const source = catalogSource(
        { ...target, catalogImage: images.catalog },
        { pullSecret, securityContext, existing: catalog },
      );
      return {
        objects: [source],
        installation: { ...planned, bundleImage: images.bundle },
        images,
      };
    });
  },
});

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
    readonly planned: Omit<Installation, 'bundleImage'>;
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
