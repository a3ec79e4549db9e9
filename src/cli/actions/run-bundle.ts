import { OpSdkError } from '../../errors/index.ts';
import {
  checkRunV0,
  checkRunV1,
  objectsOfV0,
  objectsOfV1,
  parseInstallMode,
  runNames,
  subscribingObjects,
  type Installation,
  type InstallMode,
} from '../../olm/index.ts';
import type { Action } from '../command.ts';
import { withoutAliases, type RunBundleOptions } from '../flags/run-bundle-flags.ts';
import { invalidFlag } from './input/flag-values.ts';
import { checkPodFlags } from './olm/check-pod-flags.ts';
import { pushRunBundle, pushRunImages } from './olm/push-run-images.ts';
import { runSession } from './olm/run-session.ts';
import { podCatalog } from './olm/pod-catalog.ts';

interface Options extends RunBundleOptions {
  readonly installMode?: string;
}

/** `op-sdk run bundle`. */
export const run: Action = (context, parsed, [text = '']) => {
  const options = withoutAliases(parsed as unknown as Options);
  return runSession(context, options, text, async (session) => {
    const { client, olm, bundle, namespace, registry } = session;
    const names = runNames(bundle.packageName, bundle.csv);
    const { packageName, csv, version, supported, deployments, definitions } = bundle;
    const request = { client, names, packageName, namespace, signal: context.signal };
    const target = { names, packageName, csv, version, namespace };
    const installationOf = (image: string): Installation => ({
      ...target,
      ...{ olm, deployments, definitions },
      bundleImage: image,
    });
    checkPodFlags(options, { isServedByPod: options.indexImage !== undefined, bundle });
    if (olm === 'v1') {
      await checkRunV1(request);
      const images = await pushRunImages(context, bundle, registry);
      return {
        objects: objectsOfV1({ ...target, catalogImage: images.catalog }),
        installation: installationOf(images.bundle),
        images,
      };
    }
    const wanted = wantedMode(options.installMode, namespace);
    const { group, catalog: existing } = await checkRunV0(request, { supported, wanted });
    const {
      indexImage,
      pullSecretName: pullSecret,
      securityContextConfig: securityContext = 'restricted',
    } = options;
    if (indexImage !== undefined) {
      const image = await pushRunBundle(context, bundle, registry);
      const made = {
        bundle,
        image,
        names,
        namespace,
        indexImage,
        bundles: [],
        pullSecret,
        securityContext,
        registry,
      };
      return {
        pod: { catalog: await podCatalog(context, made, options), existing },
        objects: subscribingObjects(target, group),
        installation: installationOf(image),
        images: { bundle: image, index: indexImage },
      };
    }
    const images = await pushRunImages(context, bundle, registry);
    return {
      objects: objectsOfV0(
        { ...target, catalogImage: images.catalog },
        { group, pullSecret, securityContext, existing },
      ),
      installation: installationOf(images.bundle),
      images,
    };
  });
};

/** @throws OpSdkError `cli/invalid-value` */
function wantedMode(text: string | undefined, namespace: string): InstallMode | undefined {
  if (text === undefined) return undefined;
  const mode = parseInstallMode(text, namespace);
  if (!('problem' in mode)) return mode;
  throw new OpSdkError(
    invalidFlag('--install-mode', `--install-mode is ${JSON.stringify(text)}: ${mode.problem}`),
  );
}
