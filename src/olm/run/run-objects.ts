import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt, textOf } from '../bundle/index.ts';
import { catalogObject } from '../catalog/index.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import type { ChosenGroup } from './install-mode.ts';
import { runChannel, type RunNames, runLabels } from './run-names.ts';

/** Target of a run: the operator to install. */
export interface RunTarget {
  readonly names: RunNames;
  readonly packageName: string;
  /** The name of the ClusterServiceVersion. */
  readonly csv: string;
  readonly version: string;
  /** Where the operator runs. */
  readonly namespace: string;
  /** The image of the catalogue, by its digest. */
  readonly catalogImage: string;
}

interface V0Settings {
  readonly group: ChosenGroup;
  /** The Secret by which images of the catalogue and the bundle are pulled. */
  readonly pullSecret?: string | undefined;
  /** Security context of the catalogue's Pod. */
  readonly securityContext: 'restricted' | 'legacy';
  /** The existing CatalogSource. */
  readonly existing?: KubeObject | undefined;
}

/**
 * Returns the objects with which OLM v0 installs a bundle: its catalogue, the OperatorGroup if none exists, and a Subscription whose
 * InstallPlan needs approval. The same as in operator-sdk, except that the catalogue is an image instead of a Pod.
 */
export function objectsOfV0(target: RunTarget, settings: V0Settings): readonly ManifestObject[] {
  return [catalogSource(target, settings), ...subscribingObjects(target, settings.group)];
}

/** Returns the OperatorGroup if none exists, and the Subscription to a catalogue. */
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

/** The CatalogSource of a package, named by its image. */
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
      // An address set by operator-sdk would take precedence over the image.
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
 * Returns the objects with which OLM v1 installs a bundle. The selector excludes other catalogues, because one that is not served would
 * block the installation.
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
 * Returns the Subscriptions to a package's catalogue that are for other packages: package names that differ only by a dot share a catalogue
 * name.
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
 * Checks that the catalogue of a package is not used by another package.
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
