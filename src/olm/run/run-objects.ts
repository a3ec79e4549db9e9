import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt, textOf } from '../bundle/index.ts';
import { catalogObject } from '../catalog/index.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import type { ChosenGroup } from './install-mode.ts';
import { runChannel, type RunNames, runLabels } from './run-names.ts';

/** The operator that a run installs. */
export interface RunTarget {
  readonly names: RunNames;
  readonly packageName: string;
  /** The name of the ClusterServiceVersion. */
  readonly csv: string;
  readonly version: string;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Image of the catalogue, with its digest. */
  readonly catalogImage: string;
}

interface V0Settings {
  readonly group: ChosenGroup;
  /** Name of the Secret for pulling the images of the catalogue and of the bundle. */
  readonly pullSecret?: string | undefined;
  /** Security context of the catalogue's Pod. */
  readonly securityContext: 'restricted' | 'legacy';
  /** The CatalogSource that exists on the cluster; undefined if none exists. */
  readonly existing?: KubeObject | undefined;
}

/**
 * Returns the objects with which OLM v0 installs a bundle: the CatalogSource, an OperatorGroup if none exists, and a Subscription whose
 * InstallPlan needs approval. The objects are the same as in operator-sdk, except that the catalogue comes from an image instead of a Pod.
 */
export function objectsOfV0(target: RunTarget, settings: V0Settings): readonly ManifestObject[] {
  return [catalogSource(target, settings), ...subscribingObjects(target, settings.group)];
}

/** Returns the Subscription to a catalogue and, if none exists, the OperatorGroup. */
export function subscribingObjects(
  { names, packageName, namespace, csv }: Omit<RunTarget, 'catalogImage'>,
  group: ChosenGroup,
): readonly ManifestObject[] {
  return [
    ...(group.isNew ? [operatorGroup(group, namespace)] : []),
    {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'Subscription',
      metadata: { name: names.subscription, namespace },
      spec: {
        name: packageName,
        channel: runChannel,
        source: names.catalog,
        sourceNamespace: namespace,
        installPlanApproval: 'Manual',
        startingCSV: csv,
      },
    },
  ];
}

/** Returns the CatalogSource for the catalogue image of a package. */
export function catalogSource(
  { names, packageName, namespace, catalogImage }: RunTarget,
  { pullSecret, securityContext, existing }: Omit<V0Settings, 'group'>,
): ManifestObject {
  const { spec, metadata, ...object } = catalogObject(
    { name: names.catalog, namespace, image: catalogImage },
    'v0',
  ) as unknown as ManifestObject & { readonly spec: { readonly grpcPodConfig: object } };
  return {
    ...object,
    metadata: { ...metadata, labels: runLabels },
    spec: {
      ...spec,
      displayName: packageName,
      publisher: 'op-sdk',
      grpcPodConfig: { ...spec.grpcPodConfig, securityContextConfig: securityContext },
      ...(pullSecret === undefined ? {} : { secrets: [pullSecret] }),
      // Remove an address set by operator-sdk, because OLM would use the address instead of the image.
      ...(textOf(fieldAt(existing, 'spec', 'address')) === '' ? {} : { address: '' }),
    },
  };
}

function operatorGroup({ name, mode }: ChosenGroup, namespace: string): ManifestObject {
  return {
    apiVersion: 'operators.coreos.com/v1',
    kind: 'OperatorGroup',
    metadata: { name, namespace },
    spec: mode.targets === undefined ? {} : { targetNamespaces: mode.targets },
  };
}

/**
 * Returns the objects with which OLM v1 installs a bundle. The ClusterExtension selects only its own catalogue, because any other catalogue
 * that is not served would block the installation.
 */
export function objectsOfV1(target: RunTarget): readonly ManifestObject[] {
  const { names, packageName, namespace, version, catalogImage } = target;
  const { metadata, ...catalog } = catalogObject(
    { name: names.catalog, namespace, image: catalogImage },
    'v1',
  ) as unknown as ManifestObject;
  return [
    { ...catalog, metadata: { ...metadata, labels: runLabels } },
    {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterExtension',
      metadata: { name: names.extension, labels: runLabels },
      spec: {
        namespace,
        source: {
          sourceType: 'Catalog',
          catalog: {
            packageName,
            channels: [runChannel],
            version,
            upgradeConstraintPolicy: 'CatalogProvided',
            selector: { matchLabels: { 'olm.operatorframework.io/metadata.name': names.catalog } },
          },
        },
      },
    },
  ];
}

interface PackageCatalog {
  readonly catalog: string;
  readonly packageName: string;
  /** Namespace of the Subscriptions and the catalogue. */
  readonly namespace: string;
}

/**
 * Returns the Subscriptions that use a package's catalogue but are for other packages. Such Subscriptions can exist because package names
 * that differ only by a dot result in the same catalogue name.
 */
export function subscribersOfOthers(
  subscriptions: readonly KubeObject[],
  { catalog, packageName, namespace }: PackageCatalog,
): readonly KubeObject[] {
  return subscriptions.filter((each) => {
    const place = textOf(fieldAt(each, 'spec', 'sourceNamespace'));
    return (
      textOf(fieldAt(each, 'spec', 'source')) === catalog &&
      (place === '' || place === namespace) &&
      textOf(fieldAt(each, 'spec', 'name')) !== packageName
    );
  });
}

/**
 * Checks that no other package uses the catalogue of a package.
 * @throws OpSdkError `olm/name-taken`
 */
export function checkNotShared(subscriptions: readonly KubeObject[], own: PackageCatalog): void {
  const [subscription] = subscribersOfOthers(subscriptions, own);
  if (subscription === undefined) return;
  const other = textOf(fieldAt(subscription, 'spec', 'name'));
  throw new OpSdkError({
    code: 'olm/name-taken',
    message: `${other} is installed from the catalogue ${own.catalog}, whose name \`op-sdk run bundle\` needs for ${own.packageName}`,
    where: { object: `subscription/${subscription.metadata.name} -n ${own.namespace}` },
    fix: [
      'install into another namespace: --namespace NAME',
      `or remove the other first: op-sdk cleanup ${other} -n ${own.namespace}`,
    ],
  });
}
