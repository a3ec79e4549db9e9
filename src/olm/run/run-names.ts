import { type KubeObject, externalResource } from '../../sdk/api/index.ts';
import { fieldAt } from '../bundle/index.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/index.ts';
import { compareSemver, parseSemver } from '../catalog/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';

/** Name of the channel in catalogues of `run bundle`; the same as in operator-sdk. */
export const runChannel = 'operator-sdk-run-bundle';

/** Name of the OperatorGroup that `run bundle` creates if none exists; the same as in operator-sdk. */
export const runGroup = 'operator-sdk-og';

/** Names of the objects by which `run bundle` installs an operator. */
export interface RunNames {
  /** Name of the CatalogSource and the ClusterCatalog. */
  readonly catalog: string;
  readonly subscription: string;
  /** Name of the ClusterExtension. */
  readonly extension: string;
}

/**
 * Returns the names of an installation's objects. The names are the same as in operator-sdk, so that op-sdk and operator-sdk find each
 * other's objects.
 *
 * @param csv name of the ClusterServiceVersion that is installed first
 */
export function runNames(packageName: string, csv: string): RunNames {
  return {
    // The length is limited because OLM v0 uses the name as a label value.
    catalog: `${objectName(packageName).slice(0, 63 - '-catalog'.length)}-catalog`,
    subscription: `${objectName(csv)}-sub`,
    extension: objectName(packageName),
  };
}

function objectName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

const managedBy = 'app.kubernetes.io/managed-by';

/** Labels of catalogues and ClusterExtensions that `run bundle` has created. */
export const runLabels = { [managedBy]: 'op-sdk' } as const;

/**
 * Returns true if `run bundle` of op-sdk or operator-sdk created the CatalogSource or ClusterCatalog. Nothing else depends on such a
 * catalogue.
 */
export function isRunCatalog(catalog: KubeObject): boolean {
  return (
    catalog.metadata.labels?.[managedBy] === runLabels[managedBy] ||
    fieldAt(catalog, 'spec', 'publisher') === 'operator-sdk'
  );
}

/** Adds a place to an object that was not read from a file, so that errors name the object instead of a position in a file. */
export function placedObject(object: ManifestObject): PlacedObject {
  const { kind, metadata } = object;
  const namespace = metadata['namespace'];
  const place = typeof namespace === 'string' ? ` -n ${namespace}` : '';
  return { object, where: { object: `${kind.toLowerCase()}/${metadata.name}${place}` } };
}

/**
 * Kinds of OLM v0 (operators.coreos.com) and OLM v1 (olm.operatorframework.io) that commands read and delete. Their objects are untyped, so
 * the code that reads a field checks it.
 */
const v0 = 'operators.coreos.com';
const v1 = 'olm.operatorframework.io';

function kindOf(
  group: string,
  version: string,
  kind: string,
  plural: string,
  scope: 'Namespaced' | 'Cluster',
) {
  return externalResource<KubeObject>({ group, version, kind, plural, scope });
}

export const CatalogSource = kindOf(v0, 'v1alpha1', 'CatalogSource', 'catalogsources', 'Namespaced');
export const Subscription = kindOf(v0, 'v1alpha1', 'Subscription', 'subscriptions', 'Namespaced');
export const InstallPlan = kindOf(v0, 'v1alpha1', 'InstallPlan', 'installplans', 'Namespaced');
export const ClusterServiceVersion = kindOf(
  v0,
  'v1alpha1',
  'ClusterServiceVersion',
  'clusterserviceversions',
  'Namespaced',
);
export const OperatorGroup = kindOf(v0, 'v1', 'OperatorGroup', 'operatorgroups', 'Namespaced');
export const ClusterCatalog = kindOf(v1, 'v1', 'ClusterCatalog', 'clustercatalogs', 'Cluster');
export const ClusterExtension = kindOf(v1, 'v1', 'ClusterExtension', 'clusterextensions', 'Cluster');

/**
 * Compares `spec.minKubeVersion` with the version of the API server, as OLM v0 does; OLM v1 ignores the field.
 *
 * @returns a warning if the API server is too old; undefined if it is new enough, or if one of the versions is invalid
 */
export async function tooOldForBundle(
  client: KubeClient,
  { csv, minKubeVersion }: { readonly csv: string; readonly minKubeVersion: string },
  signal: AbortSignal,
): Promise<Finding | undefined> {
  const least = parseSemver(minKubeVersion.trim());
  if (least === undefined) return undefined;
  const answer = await client.raw.request({ method: 'GET', path: '/version', signal });
  const { gitVersion } = answer.json<{ readonly gitVersion: string }>();
  const version = parseSemver(releaseOf(gitVersion));
  if (version === undefined || compareSemver(version, least) >= 0) return undefined;
  return {
    code: 'olm/min-kube-version',
    message: `${csv} needs Kubernetes ${minKubeVersion.trim()} or newer, but the cluster has ${gitVersion}; OLM v1 ignores this and installs the bundle nevertheless`,
    where: { object: csv },
    fix: ['update the cluster', 'or lower minKubeVersion of the base ClusterServiceVersion'],
  };
}

/** Removes suffixes that cloud providers and builds add to a version: `v1.33.1-gke.100` becomes `1.33.1`. */
function releaseOf(gitVersion: string): string {
  return /\d+\.\d+\.\d+/.exec(gitVersion)?.[0] ?? gitVersion;
}
