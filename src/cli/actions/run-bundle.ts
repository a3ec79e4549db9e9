import { OpSdkError } from '../../errors/index.ts';
import {
  checkRunV0,
  checkRunV1,
  objectsOfV0,
  objectsOfV1,
  parseInstallMode,
  runNames,
  type Installation,
  type InstallMode,
} from '../../olm/index.ts';
import type { Action } from '../command.ts';
import { withoutAliases, type RunBundleOptions } from '../flags/run-bundle-flags.ts';
import { invalidFlag } from './input/flag-values.ts';
import { pushRunImages, type RunImages } from './olm/push-run-images.ts';
import { runSession } from './olm/run-session.ts';

interface Options extends RunBundleOptions {
  readonly installMode?: string;
}

/** `op-sdk run bundle`. */
export const run: Action = (context, parsed, [text = '']) => {
  const options = withoutAliases(parsed as unknown as Options);
  return runSession(context, options, text, async (session) => {
    const { client, olm, bundle, namespace } = session;
    const names = runNames(bundle.packageName, bundle.csv);
    const { packageName, csv, version, supported, deployments } = bundle;
    const request = { client, names, packageName, namespace, signal: context.signal };
    const target = { names, packageName, csv, version, namespace };
    const installationOf = (images: RunImages): Installation => ({
      ...{ ...target, olm, deployments },
      bundleImage: images.bundle,
    });
    if (olm === 'v1') {
      await checkRunV1(request);
      const images = await pushRunImages(context, bundle, options);
      return {
        objects: objectsOfV1({ ...target, catalogImage: images.catalog }),
        installation: installationOf(images),
        images,
      };
    }
    const wanted = wantedMode(options.installMode, namespace);
    const group = await checkRunV0(request, { supported, wanted });
    const images = await pushRunImages(context, bundle, options);
    const settings = {
      group,
      pullSecret: options.pullSecretName,
      securityContext: options.securityContextConfig ?? 'restricted',
    } as const;
    return {
      objects: objectsOfV0({ ...target, catalogImage: images.catalog }, settings),
      installation: installationOf(images),
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
