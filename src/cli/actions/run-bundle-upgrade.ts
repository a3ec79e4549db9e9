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
  type RunTarget,
} from '../../olm/index.ts';
import type { Action } from '../command.ts';
import { withoutAliases, type RunBundleOptions } from '../flags/run-bundle-flags.ts';
import { pushRunImages, type Predecessor } from './olm/push-run-images.ts';
import { runSession } from './olm/run-session.ts';

/** `op-sdk run bundle-upgrade`. */
export const run: Action = (context, parsed, [text = '']) => {
  const options = withoutAliases(parsed as unknown as RunBundleOptions);
  const { signal } = context;
  return runSession(context, options, text, async ({ client, olm, bundle, namespace }) => {
    const { packageName, csv, version, deployments } = bundle;
    const own = runNames(packageName, csv);
    if (olm === 'v1') {
      const [installed] = await installedByV1(client, packageName, signal);
      if (installed === undefined) throw notInstalled(packageName, namespace);
      const { extension, catalog } = installed;
      checkUpgrade(bundle, installed);
      const image = textOf(fieldAt(catalog, 'spec', 'source', 'image', 'ref'));
      const images = await pushRunImages(context, bundle, options, predecessorOf(installed, image));
      const names = { ...own, catalog: installed.source, extension: extension.metadata.name ?? '' };
      const runsIn = textOf(fieldAt(extension, 'spec', 'namespace'));
      const target = { names, packageName, csv, version, namespace: runsIn, catalogImage: images.catalog };
      return {
        objects: objectsOfV1(target),
        installation: { ...target, olm, deployments, bundleImage: images.bundle },
        images,
      };
    }
    const [installed] = await installedByV0(client, packageName, namespace, signal);
    if (installed === undefined) throw notInstalled(packageName, namespace);
    const { subscription, catalog } = installed;
    checkUpgrade(bundle, installed);
    const image = textOf(fieldAt(catalog, 'spec', 'image'));
    const images = await pushRunImages(context, bundle, options, predecessorOf(installed, image));
    const names = { ...own, catalog: installed.source, subscription: subscription.metadata.name ?? '' };
    const target: RunTarget = { names, packageName, csv, version, namespace, catalogImage: images.catalog };
    const source = catalogSource(target, {
      pullSecret: options.pullSecretName ?? pullSecretOf(catalog),
      securityContext: options.securityContextConfig ?? 'restricted',
    });
    return {
      objects: [source],
      installation: { ...target, olm, deployments, bundleImage: images.bundle },
      images,
    };
  });
};

/** That of the installation; operator-sdk writes `''` for none. */
function pullSecretOf(catalog: KubeObject | undefined): string | undefined {
  const secret = textOf(fieldAt(catalog, 'spec', 'secrets', 0));
  return secret === '' ? undefined : secret;
}

/** What is installed; a catalogue that operator-sdk serves by a Pod has no image. */
function predecessorOf({ csv }: { readonly csv: string }, image: string): Predecessor {
  return { csv, catalogImage: image === '' ? undefined : image };
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
