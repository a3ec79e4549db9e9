import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt, listOf, textOf } from '../bundle/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { InstallPlan } from './run-names.ts';
import type { InstalledV0, InstalledV1 } from './installed-operators.ts';
import type { PlannedInstallation } from './judge-installation.ts';
import { servedByPod } from './pod/pod-catalog.ts';

/** An installation that an earlier run of the same version has begun, and that another one continues. */
export interface UnfinishedRun {
  /** Name in the form of kubectl, with its namespace. */
  readonly object: string;
  /** True once OLM has found the version in the catalogue: another image of the bundle would not be installed any more. */
  readonly isResolved: boolean;
  /** The image that OLM installs, as far as an InstallPlan or the Pod of a catalogue names it. */
  readonly bundleImage: string | undefined;
  /** The image of the catalogue; `''` if a Pod serves it, or there is none. */
  readonly catalogImage: string;
}

/** Reads the progress of the run that created a Subscription. */
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

/** The progress of an unfinished run that created a ClusterExtension. */
export function unfinishedV1({ extension, catalog, version }: InstalledV1, wanted: string): UnfinishedRun {
  return {
    object: `clusterextension/${extension.metadata.name}`,
    isResolved: version === wanted,
    bundleImage: undefined,
    catalogImage: textOf(fieldAt(catalog, 'spec', 'source', 'image', 'ref')),
  };
}

/** Returns the image of the bundle that an InstallPlan installs as a ClusterServiceVersion; undefined if the plan does not name it. */
export function bundleImageOf(plan: KubeObject | undefined, csv: string): string | undefined {
  const lookup = listOf(fieldAt(plan, 'status', 'bundleLookups')).find(
    (each) => textOf(fieldAt(each, 'identifier')) === csv,
  );
  const path = textOf(fieldAt(lookup, 'path'));
  return path === '' ? undefined : path;
}

/**
 * Checks that a run continues with the bundle that OLM has begun to install.
 *
 * @param images as they have been pushed
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
  // The digest of a catalogue covers the image of the bundle that it names.
  if (images.catalog !== undefined && catalogImage !== '' && catalogImage !== images.catalog)
    throw otherBundle({ csv, packageName, object }, `the catalogue ${catalogImage}`, images);
}

/** Returns the error that OLM installs another image of the same version. */
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
    message: `OLM has begun to install ${csv} from ${installs}; expected ${bundle}`,
    where: { object },
    fix: [
      `remove what was begun, and run the command again: op-sdk cleanup ${packageName}`,
      'or continue it with the bundle that it was begun with',
    ],
  });
}
