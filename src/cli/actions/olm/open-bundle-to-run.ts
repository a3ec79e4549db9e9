import {
  countedErrors,
  csvDeployments,
  fieldAt,
  textOf,
  supportedModes,
  minKubeVersionOf,
  validateBundle,
} from '../../../olm/bundle/index.ts';
import { FindingList, OpSdkError } from '../../../base/errors/index.ts';
import {
  formatReference,
  parseReference,
  resolvePlace,
  withDefaultTag,
  type ImageReference,
  type Place,
} from '../../../images/index.ts';
import type { CliContext } from '../../command.ts';
import type { RunBundleOptions } from '../../flags/olm-flags.ts';
import { noRegistryNamed } from '../images/registry-options.ts';
import { missingFlag, invalidFlag } from '../input/flag-values.ts';
import { openBundle } from '../validate/open-bundle.ts';
import { defaultIndexImage } from '../../../olm/run/index.ts';

/** Bundle that OLM is to install. The files of the bundle can be read until this object is disposed of. */
export interface BundleToRun extends AsyncDisposable {
  readonly place: Place;
  readonly packageName: string;
  /** Name of the bundle's ClusterServiceVersion. */
  readonly csv: string;
  readonly version: string;
  /** Value of `spec.minKubeVersion`; `''` if the bundle has none. */
  readonly minKubeVersion: string;
  /** Install modes that the bundle supports. */
  readonly supported: readonly string[];
  /** The names of the operator's Deployments. */
  readonly deployments: readonly string[];
  /** Names of the bundle's CustomResourceDefinitions. */
  readonly definitions: readonly string[];
  /** Image of the bundle that OLM pulls. */
  readonly image: ImageReference;
  /** True if the argument named the bundle by its folder, so that the image has to be built and pushed first. */
  readonly isFolder: boolean;
  readonly catalogImage: ImageReference;
}

/**
 * Opens the bundle that an argument names by its folder or its image, and validates the bundle as `bundle validate` does.
 * @throws OpSdkError with all errors of operator-framework's validators; `oci/…`, `cli/missing-value`
 */
export async function openBundleToRun(
  context: CliContext,
  text: string,
  options: RunBundleOptions,
): Promise<BundleToRun> {
  if (text.startsWith('oci:')) throw inLayout(text);
  const opened = await openBundle(context, text, options);
  try {
    const isFolder = opened.shown === undefined;
    const findings = new FindingList();
    const repository = await findings.gather(() => repositoryOf(text, isFolder, options.pushTo));
    const { bundle, packageName, results } = await validateBundle(opened.dir, {
      cwd: context.cwd,
      ...(opened.shown === undefined ? {} : { shown: opened.shown }),
    });
    findings.add(...countedErrors(results));
    findings.throwIfAny();
    const csv = bundle?.csv;
    // The bundle has passed validation, so none of these values can be missing.
    if (csv === undefined || packageName === undefined || repository === undefined)
      throw new TypeError('an incomplete bundle has no findings');
    const version = textOf(fieldAt(csv.value, 'spec', 'version'));
    // A tag must not contain a plus sign, so `_` replaces it.
    const tag = version.replaceAll('+', '_');
    return {
      place: resolvePlace(context.cwd, opened.dir),
      packageName,
      csv: csv.name,
      version,
      minKubeVersion: minKubeVersionOf(csv),
      supported: supportedModes(csv),
      deployments: csvDeployments(csv).map(({ name }) => name),
      definitions: bundle?.crds.map(({ name }) => name) ?? [],
      image: isFolder ? { ...repository, tag: `v${tag}` } : pulledImage(text),
      isFolder,
      catalogImage: { ...repository, tag: `catalog-${tag}` },
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

/** Returns the error for an image in an OCI layout folder, because no cluster can pull such an image. */
function inLayout(text: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/invalid-reference',
    message: `${text} is a layout on this machine; expected a folder, or an image that the cluster can pull`,
    where: { flag: '<bundle>' },
    fix: [`push it, and name the image: op-sdk bundle push IMAGE --from ${text}`],
  });
}

type Repository = Pick<ImageReference, 'registry' | 'repository'>;

function repositoryOf(text: string, isFolder: boolean, pushTo: string | undefined): Repository {
  if (pushTo === undefined && isFolder)
    throw new OpSdkError(
      missingFlag(
        '--push-to',
        `${text} is a folder: its image and the catalogue need a repository that the cluster can pull from`,
        'name one: --push-to registry.example.com/team/operator-bundle',
      ),
    );
  const { registry, repository, tag, digest } = parseReference(
    pushTo ?? text,
    pushTo === undefined ? undefined : '--push-to',
  );
  if (pushTo !== undefined && (tag !== undefined || digest !== undefined))
    throw new OpSdkError({
      code: 'oci/invalid-reference',
      message: `'${pushTo}' has a tag or a digest; expected a repository`,
      where: { flag: '--push-to' },
      fix: [`write ${formatReference({ registry, repository })}`],
    });
  const finding = noRegistryNamed({ registry, repository }, pushTo ?? text, '--push-to');
  if (finding !== undefined) throw new OpSdkError(finding);
  return { registry, repository };
}

/** Keeps only the digest of an image reference if it has one, because not every client accepts a tag beside a digest. */
function pulledImage(text: string): ImageReference {
  const { registry, repository, tag, digest } = parseReference(text);
  if (digest !== undefined) return { registry, repository, digest };
  return withDefaultTag({ registry, repository, ...(tag === undefined ? {} : { tag }) });
}

/**
 * Refuses flags without effect: flags for the Pod that serves the catalogue if this Pod is not used, and the repository for images if no
 * image is pushed.
 * @throws OpSdkError `cli/invalid-value`, one finding for each flag
 */
export function checkPodFlags(
  options: RunBundleOptions,
  { isServedByPod, bundle }: { readonly isServedByPod: boolean; readonly bundle: BundleToRun },
): void {
  const findings = new FindingList();
  if (isServedByPod && !bundle.isFolder && options.pushTo !== undefined)
    findings.add(
      invalidFlag(
        '--push-to',
        '--push-to has no effect, as nothing is pushed: the bundle is an image already, and its catalogue is stored in ConfigMaps',
        'leave --push-to out',
      ),
    );
  if (!isServedByPod)
    for (const [flag, value] of [
      ['--decompression-image', options.decompressionImage],
      ['--image-pull-policy', options.imagePullPolicy],
      ['--service-account', options.serviceAccount],
    ] as const)
      if (value !== undefined)
        findings.add(
          invalidFlag(
            flag,
            `${flag} has no effect without the Pod that --index-image starts`,
            `leave it out, or have a Pod serve the catalogue: --index-image ${defaultIndexImage}`,
          ),
        );
  findings.throwIfAny();
}
