import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt, listOf, textOf } from '../bundle/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { InstallPlan } from './run-names.ts';
import type { InstalledV0, InstalledV1 } from './installed-operators.ts';
import type { PlannedInstallation } from './judge-installation.ts';
import { servedByPod } from './pod/pod-catalog.ts';

/** An installation that an earlier run of the same version has begun, and that the current run continues. */
export interface UnfinishedRun {
  /** Name of the Subscription or ClusterExtension in the form of kubectl, with its namespace. */
  readonly object: string;
  /**
   * True once OLM has found the operator's version in the catalogue. From then on, OLM does not install another image of the same version.
   */
  readonly isResolved: boolean;
  /** Image of the bundle that OLM installs; undefined if neither an InstallPlan nor the annotations of the CatalogSource name it. */
  readonly bundleImage: string | undefined;
  /** Image of the catalogue; `''` if a Pod serves the catalogue, or if the catalogue does not exist. */
  readonly catalogImage: string;
}

/** Reads the progress of an unfinished run from the Subscription that the run created. */
export async function unfinishedV0(
  client: KubeClient,
  { subscription, catalog }: Pick<InstalledV0, 'subscription' | 'catalog'>,
  csv: string,
  signal: AbortSignal,
): Promise<UnfinishedRun> {
  const { name = '', namespace = '' } = subscription.metadata;
  const plan = textOf(fieldAt(subscription, 'status', 'installPlanRef', 'name'));
  const found =
    plan === '' ? undefined : await client.find(InstallPlan, { name: plan, namespace }, { signal });
  return {
    object: `subscription/${name} -n ${namespace}`,
    isResolved: textOf(fieldAt(subscription, 'status', 'currentCSV')) === csv,
    bundleImage: bundleImageOf(found, csv) ?? servedByPod(catalog)?.bundles.at(-1)?.imageTag,
    catalogImage: textOf(fieldAt(catalog, 'spec', 'image')),
  };
}

/** Returns the progress of an unfinished run from the ClusterExtension that the run created. */
export function unfinishedV1({ extension, catalog, version }: InstalledV1, wanted: string): UnfinishedRun {
  return {
    object: `clusterextension/${extension.metadata.name}`,
    isResolved: version === wanted,
    bundleImage: undefined,
    catalogImage: textOf(fieldAt(catalog, 'spec', 'source', 'image', 'ref')),
  };
}

/** Returns the bundle image from which an InstallPlan installs a ClusterServiceVersion; undefined if the plan does not name the image. */
export function bundleImageOf(plan: KubeObject | undefined, csv: string): string | undefined {
  const lookup = listOf(fieldAt(plan, 'status', 'bundleLookups')).find(
    (each) => textOf(fieldAt(each, 'identifier')) === csv,
  );
  const path = textOf(fieldAt(lookup, 'path'));
  return path === '' ? undefined : path;
}

/**
 * Checks that a run continues with the same bundle image that OLM has begun to install.
 *
 * @param images images that the current run has pushed
 * @throws OpSdkError `olm/other-bundle`
 */
export function checkSameBundle(
  { csv, packageName }: Pick<PlannedInstallation, 'csv' | 'packageName'>,
  { object, isResolved, bundleImage, catalogImage }: UnfinishedRun,
  images: { readonly bundle: string; readonly catalog?: string },
): void {
  if (!isResolved) return;
  if (bundleImage !== undefined) {
    if (bundleImage !== images.bundle) throw otherBundle({ csv, packageName, object }, bundleImage, images);
    return;
  }
  // OLM has not named the bundle image, so compare the catalogue images. A catalogue contains the name of the bundle image, so the
  // catalogue's digest changes with that name.
  if (images.catalog !== undefined && catalogImage !== '' && catalogImage !== images.catalog)
    throw otherBundle({ csv, packageName, object }, `the catalogue ${catalogImage}`, images);
}

/** Returns the error for a run whose bundle image differs from the image of the same version that OLM has begun to install. */
export function otherBundle(
  {
    csv,
    packageName,
    object,
  }: { readonly csv: string; readonly packageName: string; readonly object: string },
  installs: string,
  { bundle }: { readonly bundle: string },
): OpSdkError {
  return new OpSdkError({
    code: 'olm/other-bundle',
    message: `OLM is already installing ${csv} from ${installs}; expected ${bundle}`,
    where: { object },
    fix: [
      `remove the unfinished installation, and run the command again: op-sdk cleanup ${packageName}`,
      'or continue the installation: run the command with the same bundle as before',
    ],
  });
}
