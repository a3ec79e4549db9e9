import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { runBundleFlags, runBundleArgument, withoutAliases } from '../flags/olm-flags.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import {
  checkRunV0,
  checkRunV1,
  checkSameBundle,
  objectsOfV0,
  objectsOfV1,
  parseInstallMode,
  runNames,
  subscribingObjects,
  type Installation,
  type InstallMode,
  type UnfinishedRun,
} from '../../olm/run/index.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';
import { checkPodFlags } from '../actions/olm/open-bundle-to-run.ts';
import { podCatalog, pushRunBundle, pushRunImages } from '../actions/olm/pod-catalog.ts';
import { runSession } from '../actions/olm/run-session.ts';

export const command = defineCommand({
  arguments: [runBundleArgument],
  flags: {
    ...runBundleFlags,
    'install-mode': flag.text(
      'mode',
      'OLM v0: AllNamespaces, OwnNamespace, SingleNamespace=NAMESPACE or MultiNamespace=NAMESPACE,NAMESPACE (default: that of the OperatorGroup, else the first that the bundle supports)',
    ),
  },
  help: `
Validates the bundle, pushes a catalogue with it, and has OLM install it: OLM v0 by a CatalogSource, an OperatorGroup and a
Subscription, whose InstallPlan is approved if it installs this bundle alone; OLM v1 by a ClusterCatalog and a
ClusterExtension. Then waits until the operator runs, and says what is being waited for. If it does not come up, the
error names the cause, and everything stays for you to look at. op-sdk cleanup removes it.`,
  run(context, parsed, [text = '']) {
    const options = withoutAliases(parsed);
    return runSession(context, options, text, async (session) => {
      const { client, olm, bundle, namespace, registry } = session;
      const names = runNames(bundle.packageName, bundle.csv);
      const { packageName, csv, version, supported, deployments, definitions } = bundle;
      const target = { names, packageName, csv, version, namespace };
      const planned = { ...target, olm, deployments, definitions };
      const request = { client, installation: planned, signal: context.signal };
      const installationOf = (image: string): Installation => ({ ...planned, bundleImage: image });
      const continueWith = (unfinished: UnfinishedRun | undefined, images: CheckedImages): void => {
        if (unfinished === undefined) return;
        checkSameBundle(planned, unfinished, images);
        context.report.step(`continuing the installation of ${csv}: ${unfinished.object}`);
      };
      checkPodFlags(options, { isServedByPod: options.indexImage !== undefined, bundle });
      if (olm === 'v1') {
        const unfinished = await checkRunV1(request);
        const images = await pushRunImages(context, bundle, registry);
        continueWith(unfinished, images);
        return {
          objects: objectsOfV1({ ...target, catalogImage: images.catalog }),
          installation: installationOf(images.bundle),
          images,
        };
      }
      const wanted = wantedMode(options.installMode, namespace);
      const { group, catalog: existing, unfinished } = await checkRunV0(request, { supported, wanted });
      const {
        indexImage,
        pullSecretName: pullSecret,
        securityContextConfig: securityContext = 'restricted',
      } = options;
      if (indexImage !== undefined) {
        const image = await pushRunBundle(context, bundle, registry);
        continueWith(unfinished, { bundle: image });
        const common = {
          objects: subscribingObjects(target, group),
          installation: installationOf(image),
          images: { bundle: image, index: indexImage },
        };
        // OLM has already resolved the Subscription, so the Pod that serves the catalogue is not needed any more.
        if (unfinished?.isResolved === true) return common;
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
          ...common,
          pod: { catalog: await podCatalog(context, made, options), existing },
        };
      }
      const images = await pushRunImages(context, bundle, registry);
      continueWith(unfinished, images);
      return {
        objects: objectsOfV0(
          { ...target, catalogImage: images.catalog },
          { group, pullSecret, securityContext, existing },
        ),
        installation: installationOf(images.bundle),
        images,
      };
    });
  },
});

type CheckedImages = Parameters<typeof checkSameBundle>[2];

/** Parses the value of `--install-mode`. @throws OpSdkError `cli/invalid-value` */
function wantedMode(text: string | undefined, namespace: string): InstallMode | undefined {
  if (text === undefined) return undefined;
  const mode = parseInstallMode(text, namespace);
  if (!('problem' in mode)) return mode;
  throw new OpSdkError(
    invalidFlag('--install-mode', `--install-mode is ${JSON.stringify(text)}: ${mode.problem}`),
  );
}
