import type { KubeObject } from '../../api/index.ts';
import { OpSdkError } from '../../errors/index.ts';
import { Namespace } from '../../k8s/generated/core/v1.ts';
import type { KubeClient } from '../../kube/index.ts';
import {
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  OperatorGroup,
  Subscription,
} from '../olm-kinds.ts';
import { chooseGroup, type ChosenGroup } from './choose-group.ts';
import { installedByV0, installedByV1 } from './installed-operators.ts';
import type { InstallMode } from './install-mode.ts';
import { isRunCatalog } from './run-label.ts';
import type { RunNames } from './run-names.ts';
import { checkNotShared } from './shared-catalog.ts';

/** What is to be installed, before its catalogue is there. */
export interface RunRequest {
  readonly client: KubeClient;
  readonly names: RunNames;
  readonly packageName: string;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/**
 * Checks that OLM v0 can install a package: nothing of it is there, and the namespace's OperatorGroup fits.
 *
 * @returns the group to use, and the CatalogSource that a run has left that was interrupted
 * @throws OpSdkError `olm/no-namespace`, `olm/already-installed`, `olm/name-taken`, and as `chooseGroup`
 */
export async function checkRunV0(
  request: RunRequest,
  modes: { readonly supported: readonly string[]; readonly wanted: InstallMode | undefined },
): Promise<{ readonly group: ChosenGroup; readonly catalog: KubeObject | undefined }> {
  const { client, names, packageName, namespace, signal } = request;
  await checkNamespace(request);
  const [installed] = await installedByV0(client, packageName, namespace, signal);
  if (installed !== undefined)
    throw alreadyInstalled(
      packageName,
      `subscription/${installed.subscription.metadata.name} -n ${namespace}`,
      installed.version,
    );
  const catalog = await client.find(CatalogSource, { name: names.catalog, namespace }, { signal });
  checkFree(catalog, packageName);
  const { items: subscriptions } = await client.list(Subscription, { namespace, signal });
  checkNotShared(subscriptions, { catalog: names.catalog, packageName, namespace });
  const subscription = await client.find(Subscription, { name: names.subscription, namespace }, { signal });
  if (subscription !== undefined) throw nameTaken(subscription, packageName);
  const groups = await client.list(OperatorGroup, { namespace, signal });
  return { group: chooseGroup({ namespace, groups: groups.items, ...modes }), catalog };
}

/**
 * Checks that OLM v1 can install a package, which it does once in a cluster.
 *
 * @throws OpSdkError `olm/no-namespace`, `olm/already-installed`, `olm/name-taken`
 */
export async function checkRunV1(request: RunRequest): Promise<void> {
  const { client, names, packageName, signal } = request;
  await checkNamespace(request);
  const [installed] = await installedByV1(client, packageName, signal);
  if (installed !== undefined)
    throw alreadyInstalled(
      packageName,
      `clusterextension/${installed.extension.metadata.name}`,
      installed.version,
    );
  checkFree(await client.find(ClusterCatalog, { name: names.catalog }, { signal }), packageName);
  const extension = await client.find(ClusterExtension, { name: names.extension }, { signal });
  if (extension !== undefined) throw nameTaken(extension, packageName);
}

async function checkNamespace({ client, namespace, signal }: RunRequest): Promise<void> {
  if ((await client.find(Namespace, { name: namespace }, { signal })) !== undefined) return;
  throw new OpSdkError({
    code: 'olm/no-namespace',
    message: `the namespace ${namespace} does not exist`,
    where: { object: `namespace/${namespace}` },
    fix: [`kubectl create namespace ${namespace}`, 'or name another one: --namespace NAME'],
  });
}

/** A catalogue of `run bundle` that was left by a run that was interrupted is used again. */
function checkFree(catalog: KubeObject | undefined, packageName: string): void {
  if (catalog !== undefined && !isRunCatalog(catalog)) throw nameTaken(catalog, packageName);
}

function alreadyInstalled(packageName: string, object: string, version: string): OpSdkError {
  return new OpSdkError({
    code: 'olm/already-installed',
    message: `${packageName} is installed already${version === '' ? '' : `, in version ${version}`}`,
    where: { object },
    fix: [
      'install a newer version: op-sdk run bundle-upgrade BUNDLE',
      `or remove it first: op-sdk cleanup ${packageName}`,
    ],
  });
}

/** An object of somebody else has a name that `run bundle` needs. */
export function nameTaken({ kind, metadata }: KubeObject, packageName: string): OpSdkError {
  const title = `${kind.toLowerCase()}/${metadata.name}`;
  return new OpSdkError({
    code: 'olm/name-taken',
    message: `${title} exists and is not of \`op-sdk run bundle\`, which needs the name for ${packageName}`,
    where: { object: title },
    fix: [
      metadata.namespace === undefined
        ? `delete it if nothing needs it: kubectl delete ${title}`
        : `install into another namespace (--namespace NAME), or delete it if nothing needs it: kubectl delete ${title} -n ${metadata.namespace}`,
    ],
  });
}
