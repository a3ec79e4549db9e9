import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt, textOf } from '../bundle/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { Namespace } from '../../sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { compareSemver, parseSemver } from '../catalog/index.ts';
import {
  runNames,
  isRunCatalog,
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  OperatorGroup,
  Subscription,
  runChannel,
  runLabels,
} from './run-names.ts';
import { type InstallMode, chooseGroup, type ChosenGroup } from './install-mode.ts';
import { installedByV0, installedByV1, type InstalledV0, type InstalledV1 } from './installed-operators.ts';
import { isInstalled, type PlannedInstallation } from './judge-installation.ts';
import { checkNotShared } from './run-objects.ts';
import { unfinishedV0, unfinishedV1, type UnfinishedRun } from './unfinished-run.ts';

/** An operator that a command is about to install, before the operator's catalogue exists. */
interface RunRequest {
  readonly client: KubeClient;
  readonly installation: PlannedInstallation;
  readonly signal: AbortSignal;
}

/** Result of {@link checkRunV0}: objects of OLM v0 that exist, or are to be created, before a run. */
interface CheckedRunV0 {
  /** The OperatorGroup to use, existing or new. */
  readonly group: ChosenGroup;
  /** The CatalogSource that an earlier run has left on the cluster; undefined if none exists. */
  readonly catalog: KubeObject | undefined;
  /** The unfinished earlier run that this run continues; undefined if none exists. */
  readonly unfinished: UnfinishedRun | undefined;
}

/**
 * Checks that OLM v0 can install a package. No object of the package may exist, except an unfinished earlier run of the same version. The
 * namespace's OperatorGroup must be suitable for the operator.
 * @throws OpSdkError `olm/no-namespace`, `olm/already-installed`, `olm/name-taken`, and the errors of `chooseGroup`
 */
export async function checkRunV0(
  request: RunRequest,
  modes: { readonly supported: readonly string[]; readonly wanted: InstallMode | undefined },
): Promise<CheckedRunV0> {
  const { client, installation, signal } = request;
  const { names, packageName, namespace, csv } = installation;
  await checkNamespace({ client, namespace, signal });
  const installed = await installedByV0(client, packageName, namespace, signal);
  const own = installed.find((each) => isOwnSubscription(each, installation, client.fieldManager));
  await refuseOthers(request, installed, own, ({ subscription: { metadata, ...subscription } }) => ({
    object: `subscription/${metadata.name} -n ${namespace}`,
    metadata,
    begun: textOf(fieldAt(subscription, 'spec', 'startingCSV')),
  }));
  const catalog = await client.find(CatalogSource, { name: names.catalog, namespace }, { signal });
  checkFree(catalog, packageName);
  const { items: subscriptions } = await client.list(Subscription, { namespace, signal });
  checkNotShared(subscriptions, { catalog: names.catalog, packageName, namespace });
  if (own === undefined) {
    const taken = subscriptions.find(({ metadata }) => metadata.name === names.subscription);
    if (taken !== undefined) throw nameTaken({ ...taken, kind: 'Subscription' }, packageName);
  }
  const groups = await client.list(OperatorGroup, { namespace, signal });
  return {
    group: chooseGroup({ namespace, groups: groups.items, ...modes }),
    catalog,
    unfinished: own === undefined ? undefined : await unfinishedV0(client, own, csv, signal),
  };
}

/**
 * Checks that OLM v1 can install a package. OLM v1 installs a package only once per cluster.
 *
 * @returns the unfinished earlier run of the same version that this run continues
 * @throws OpSdkError `olm/no-namespace`, `olm/already-installed`, `olm/name-taken`
 */
export async function checkRunV1(request: RunRequest): Promise<UnfinishedRun | undefined> {
  const { client, installation, signal } = request;
  const { names, packageName, namespace, version } = installation;
  await checkNamespace({ client, namespace, signal });
  const installed = await installedByV1(client, packageName, signal);
  const own = installed.find((each) => isOwnExtension(each, installation));
  await refuseOthers(request, installed, own, ({ extension }) => {
    const wanted = textOf(fieldAt(extension, 'spec', 'source', 'catalog', 'version'));
    const place = textOf(fieldAt(extension, 'spec', 'namespace'));
    return {
      object: `clusterextension/${extension.metadata.name}`,
      metadata: extension.metadata,
      begun: wanted === '' ? '' : `version ${wanted}${place === namespace ? '' : ` in namespace ${place}`}`,
    };
  });
  checkFree(await client.find(ClusterCatalog, { name: names.catalog }, { signal }), packageName);
  if (own !== undefined) return unfinishedV1(own, version);
  const extension = await client.find(ClusterExtension, { name: names.extension }, { signal });
  if (extension !== undefined) throw nameTaken(extension, packageName);
  return undefined;
}

/**
 * Refuses a package that is already installed, except for an unfinished earlier run of the same version.
 *
 * @param own the Subscription or ClusterExtension of that earlier run
 * @throws OpSdkError `olm/already-installed`
 */
async function refuseOthers<T extends Pick<InstalledV0, 'catalog' | 'csv' | 'version'>>(
  { client, installation, signal }: RunRequest,
  installed: readonly T[],
  own: T | undefined,
  describe: (each: T) => Pick<Present, 'object' | 'metadata' | 'begun'>,
): Promise<void> {
  for (const each of installed) {
    const described = describe(each);
    const isUnfinished =
      each === own &&
      described.metadata.deletionTimestamp === undefined &&
      !(await isInstalled(client, installation, signal));
    if (isUnfinished) continue;
    throw alreadyThere(installation.packageName, {
      ...described,
      isOfRun: each.catalog === undefined ? each === own : isRunCatalog(each.catalog),
      installed: each.csv === '' ? '' : each.version,
    });
  }
}

async function checkNamespace({
  client,
  namespace,
  signal,
}: {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly signal: AbortSignal;
}): Promise<void> {
  if ((await client.find(Namespace, { name: namespace }, { signal })) !== undefined) return;
  throw new OpSdkError({
    code: 'olm/no-namespace',
    message: `the namespace ${namespace} does not exist`,
    where: { object: `namespace/${namespace}` },
    fix: [`kubectl create namespace ${namespace}`, 'or name another one: --namespace NAME'],
  });
}

/** Refuses a catalogue whose name the run needs, unless an interrupted `run bundle` has left it. Such a catalogue is reused. */
function checkFree(catalog: KubeObject | undefined, packageName: string): void {
  if (catalog !== undefined && !isRunCatalog(catalog)) throw nameTaken(catalog, packageName);
}

interface Present {
  /** Name of the object in the form of kubectl, such as `subscription/web -n NAMESPACE`. */
  readonly object: string;
  readonly metadata: KubeObject['metadata'];
  /** True if `run bundle` has created the catalogue to which the object refers. */
  readonly isOfRun: boolean;
  /** The version of the operator that is installed; `''` if none is installed yet. */
  readonly installed: string;
  /** The version with which the installation starts; `''` if the object names none. */
  readonly begun: string;
}

function alreadyThere(
  packageName: string,
  { object, metadata, isOfRun, installed, begun }: Present,
): OpSdkError {
  const remove = `remove it first: op-sdk cleanup ${packageName}`;
  if (metadata.deletionTimestamp !== undefined)
    return new OpSdkError({
      code: 'olm/already-installed',
      message: `${packageName} is being removed: ${object} is not deleted yet`,
      where: { object },
      fix: [`wait until it is deleted: kubectl wait --for=delete ${object}`, `or ${remove}`],
    });
  const origin = isOfRun ? '' : `, by an object that is not of \`op-sdk run bundle\``;
  const isInstalled = installed !== '';
  const as = begun === '' ? '' : `, as ${begun}`;
  return new OpSdkError({
    code: 'olm/already-installed',
    message: isInstalled
      ? `${packageName} is installed already, in version ${installed}${origin}`
      : `OLM is already installing ${packageName}${as}${origin}`,
    where: { object },
    fix: [
      ...(isInstalled && isOfRun ? ['install a newer version: op-sdk run bundle-upgrade BUNDLE'] : []),
      ...(!isInstalled && isOfRun
        ? ['continue that by op-sdk run bundle, with the bundle of that version']
        : []),
      isOfRun ? `or ${remove}` : remove,
    ],
  });
}

/** Returns the error for an object that `run bundle` did not create, but whose name it needs. */
export function nameTaken({ kind, metadata }: KubeObject, packageName: string): OpSdkError {
  const title = `${kind.toLowerCase()}/${metadata.name}`;
  return new OpSdkError({
    code: 'olm/name-taken',
    message: `the name of ${title} is taken: \`op-sdk run bundle\` needs it for ${packageName}, but did not create this object`,
    where: { object: title },
    fix: [
      metadata.namespace === undefined
        ? `delete it if nothing needs it: kubectl delete ${title}`
        : `install into another namespace (--namespace NAME), or delete it if nothing needs it: kubectl delete ${title} -n ${metadata.namespace}`,
    ],
  });
}

/** An operator that OLM v0 or v1 has installed. */
interface Installed {
  /** Name of the operator's catalogue; `''` if the operator may come from any catalogue. */
  readonly source: string;
  readonly catalog: KubeObject | undefined;
  readonly csv: string;
  readonly version: string;
}

/** Returns true if `run bundle` created the operator's catalogue. A catalogue that has been deleted is recognised by its name. */
export function isOwnCatalog(
  { packageName }: { readonly packageName: string },
  { source, catalog }: Pick<Installed, 'source' | 'catalog'>,
): boolean {
  return catalog === undefined ? source === runNames(packageName, '').catalog : isRunCatalog(catalog);
}

/**
 * Checks that a bundle is an update of the installed version of its operator.
 * @throws OpSdkError `olm/not-installed-yet`, `olm/foreign-catalog`, `olm/not-newer`
 */
export function checkUpgrade(
  bundle: { readonly packageName: string; readonly csv: string; readonly version: string },
  { source, catalog, csv, version }: Installed,
): void {
  const { packageName } = bundle;
  if (!isOwnCatalog(bundle, { source, catalog })) {
    const from = source === '' ? 'from any catalogue that has it' : `from the catalogue ${source}`;
    throw new OpSdkError({
      code: 'olm/foreign-catalog',
      message: `${packageName} is installed ${from}; expected a catalogue of \`op-sdk run bundle\``,
      where: { object: source === '' ? packageName : source },
      fix: [
        'add the bundle to the catalogue that the package is installed from, and push that catalogue: op-sdk catalog add, op-sdk catalog push',
        `or remove the operator, and install it by op-sdk run bundle: op-sdk cleanup ${packageName}`,
      ],
    });
  }
  if (csv === '' || version === '')
    throw new OpSdkError({
      code: 'olm/not-installed-yet',
      message: `OLM has not installed ${packageName} yet, and only what is installed can be upgraded`,
      where: { object: packageName },
      fix: [
        'continue its installation: op-sdk run bundle BUNDLE, with the bundle that it was begun with',
        `or remove it, and install the new version at once: op-sdk cleanup ${packageName}`,
      ],
    });
  const [before, after] = [parseSemver(version), parseSemver(bundle.version)];
  if (before === undefined || after === undefined || compareSemver(after, before) > 0) return;
  throw new OpSdkError({
    code: 'olm/not-newer',
    message: `the bundle ${bundle.csv} has version ${bundle.version}, but ${csv} with version ${version} is installed, and OLM upgrades only to later versions`,
    where: { object: bundle.csv },
    fix: [
      'give the bundle a later version: op-sdk generate bundle --version VERSION',
      `or remove the operator, and install this version: op-sdk cleanup ${packageName}`,
    ],
  });
}

/**
 * Returns true if an earlier `run bundle` created the Subscription for the version to install now. Compares all fields that the command
 * writes.
 */
function isOwnSubscription(
  { subscription, source, catalog }: InstalledV0,
  { names, packageName, namespace, csv }: PlannedInstallation,
  fieldManager: string,
): boolean {
  const written = [names.subscription, packageName, runChannel, names.catalog, namespace, csv];
  const found = [
    subscription.metadata.name,
    ...['name', 'channel', 'source', 'sourceNamespace', 'startingCSV'].map((field) =>
      textOf(fieldAt(subscription, 'spec', field)),
    ),
  ];
  if (source === '' || written.some((text, index) => text !== found[index])) return false;
  return catalog === undefined ? isAppliedBy(fieldManager, subscription) : isRunCatalog(catalog);
}

function isAppliedBy(fieldManager: string, { metadata }: KubeObject): boolean {
  return (metadata.managedFields ?? []).some(
    ({ manager, operation }) => manager === fieldManager && operation === 'Apply',
  );
}

/** Returns true if an earlier `run bundle` created the ClusterExtension for the version and the namespace to install now. */
function isOwnExtension(
  { extension, source, catalog }: InstalledV1,
  { names, version, namespace }: PlannedInstallation,
): boolean {
  const [[label, owner] = ['', '']] = Object.entries(runLabels);
  return (
    extension.metadata.name === names.extension &&
    extension.metadata.labels?.[label] === owner &&
    textOf(fieldAt(extension, 'spec', 'namespace')) === namespace &&
    textOf(fieldAt(extension, 'spec', 'source', 'catalog', 'version')) === version &&
    source === names.catalog &&
    (catalog === undefined || isRunCatalog(catalog))
  );
}
