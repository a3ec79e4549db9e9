import type { KubeObject } from '../../api/index.ts';
import { fieldAt, textOf } from '../../bundle/validate/fields.ts';
import { OpSdkError } from '../../errors/index.ts';
import {
  catalogSource,
  checkUpgrade,
  installedByV0,
  installedByV1,
  objectsOfV1,
  runNames,
  servedByPod,
} from '../../olm/index.ts';
import type { Action } from '../command.ts';
import { withoutAliases, type RunBundleOptions } from '../flags/run-bundle-flags.ts';
import { checkPodFlags } from './olm/check-pod-flags.ts';
import { pushRunBundle, pushRunImages } from './olm/push-run-images.ts';
import type { Predecessor } from './olm/run-catalog.ts';
import { runSession } from './olm/run-session.ts';
import { catalogInConfigMaps, podCatalog } from './olm/pod-catalog.ts';

/** `op-sdk run bundle-upgrade`. */
export const run: Action = (context, parsed, [text = '']) => {
  const options = withoutAliases(parsed as unknown as RunBundleOptions);
  const { signal } = context;
  return runSession(context, options, text, async ({ client, olm, bundle, namespace, registry }) => {
    const { packageName, csv, version, deployments, definitions } = bundle;
    const own = runNames(packageName, csv);
    if (olm === 'v1') {
      const [installed] = await installedByV1(client, packageName, signal);
      if (installed === undefined) throw notInstalled(packageName, namespace);
      const { extension, catalog } = installed;
      checkUpgrade(bundle, installed);
      checkPodFlags(options, { isServedByPod: false, bundle });
      const image = textOf(fieldAt(catalog, 'spec', 'source', 'image', 'ref'));
      const images = await pushRunImages(context, bundle, registry, predecessorOf(installed, image));
      const names = { ...own, catalog: installed.source, extension: extension.metadata.name ?? '' };
      const runsIn = textOf(fieldAt(extension, 'spec', 'namespace'));
      const target = { names, packageName, csv, version, namespace: runsIn, catalogImage: images.catalog };
      return {
        objects: objectsOfV1(target),
        installation: { ...target, olm, deployments, definitions, bundleImage: images.bundle },
        images,
      };
    }
    const [installed] = await installedByV0(client, packageName, namespace, signal);
    if (installed === undefined) throw notInstalled(packageName, namespace);
    const { subscription, catalog } = installed;
    checkUpgrade(bundle, installed);
    const served = servedByPod(catalog);
    const indexImage = options.indexImage ?? served?.indexImage;
    checkPodFlags(options, { isServedByPod: indexImage !== undefined, bundle });
    const names = { ...own, catalog: installed.source, subscription: subscription.metadata.name ?? '' };
    const target = { names, packageName, csv, version, namespace };
    const pullSecret = options.pullSecretName ?? pullSecretOf(catalog);
    const former = textOf(fieldAt(catalog, 'spec', 'image'));
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
        installation: { ...target, olm, deployments, definitions, bundleImage: image },
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
      installation: { ...target, olm, deployments, definitions, bundleImage: images.bundle },
      images,
    };
  });
};

/** That of the installation; operator-sdk writes `''` for none. */
function pullSecretOf(catalog: KubeObject | undefined): string | undefined {
  const secret = textOf(fieldAt(catalog, 'spec', 'secrets', 0));
  return secret === '' ? undefined : secret;
}

/** That of the installation: operator-sdk's default is `legacy`. */
function securityContextOf(catalog: KubeObject | undefined): 'restricted' | 'legacy' {
  const config = fieldAt(catalog, 'spec', 'grpcPodConfig', 'securityContextConfig');
  return config === 'legacy' ? config : 'restricted';
}

/** What is installed, and the image of its catalogue. */
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
