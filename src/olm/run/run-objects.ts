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
  /** The CatalogSource that is there. */
  readonly existing?: KubeObject | undefined;
}

/**
 * The objects that make OLM v0 install a bundle: its catalogue, the OperatorGroup if there is none, and a Subscription whose
 * InstallPlan waits for approval. Those of operator-sdk, but for the catalogue, which is an image in the place of a Pod.
 */
export function objectsOfV0(target: RunTarget, settings: V0Settings): readonly ManifestObject[] {
  return [catalogSource(target, settings), ...subscribingObjects(target, settings.group)];
}

/** The OperatorGroup if there is none, and the Subscription to a catalogue. */
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
      // That of a Pod of operator-sdk would count more than the image.
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
 * The objects that make OLM v1 install a bundle. The selector of the catalogue keeps others out: one that does not serve would block
 * the installation.
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
  /** Namespace of both. */
  readonly namespace: string;
}

/** The Subscriptions to a package's catalogue that are for other packages: names that differ in a dot only name one catalogue. */
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

/** @throws OpSdkError `olm/name-taken` if the catalogue that a package needs is another package's */
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
