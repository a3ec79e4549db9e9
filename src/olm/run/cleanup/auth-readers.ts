import type { KubeObject } from '../../../sdk/api/index.ts';
import { fieldAt, listOf, textOf } from '../../bundle/index.ts';
import { RoleBinding } from '../../../sdk/k8s/generated/rbac/v1.ts';
import { isForbidden, type KubeClient, isNotFound, isTypeNotServed } from '../../../sdk/kube/index.ts';
import { quietClient, readableType } from '../../../cluster/index.ts';
import type { ManifestObject } from '../../../kubernetes/yaml/index.ts';

/** Namespace of the Role that allows extension API servers to read the authentication settings of the cluster's API server. */
const authReaderNamespace = 'kube-system';

const authReaderRole = 'extension-apiserver-authentication-reader';
const suffix = '-service-auth-reader';

/**
 * Returns true for a RoleBinding by which OLM v0 allows the servers of a namespace to read the authentication settings of the API server.
 * OLM sets no owner and only the label `olm.managed` on these RoleBindings, and does not delete them.
 *
 * @param namespaces namespaces whose operators are removed
 */
export function isAuthReaderOf(
  { metadata, ...object }: KubeObject,
  namespaces: ReadonlySet<string>,
): boolean {
  const subjects = listOf(fieldAt(object, 'subjects'));
  return (
    metadata.namespace === authReaderNamespace &&
    metadata.name.endsWith(suffix) &&
    metadata.labels?.['olm.managed'] === 'true' &&
    textOf(fieldAt(object, 'roleRef', 'kind')) === 'Role' &&
    textOf(fieldAt(object, 'roleRef', 'name')) === authReaderRole &&
    subjects.every(
      (subject) =>
        textOf(fieldAt(subject, 'kind')) === 'ServiceAccount' &&
        namespaces.has(textOf(fieldAt(subject, 'namespace'))),
    )
  );
}

/**
 * RoleBindings that OLM v0 created for the webhook and API servers of operators, and the names of RoleBindings that the user may not read.
 */
interface AuthReaders {
  readonly found: readonly KubeObject[];
  /** Names of RoleBindings that the user may not read: `RoleBinding kube-system/web-service-auth-reader`. */
  readonly unread: readonly string[];
}

/**
 * Finds the RoleBindings that OLM v0 has created for the webhooks and APIServices of ClusterServiceVersions.
 *
 * @param operators the ClusterServiceVersions that are removed
 * @param staying ClusterServiceVersions of the same namespace that are not removed
 */
export async function authReadersOf(
  client: KubeClient,
  {
    operators,
    staying,
  }: { readonly operators: readonly KubeObject[]; readonly staying: readonly KubeObject[] },
  signal: AbortSignal,
): Promise<AuthReaders> {
  const needed = new Set(staying.flatMap(namesOf));
  const names = new Set(operators.flatMap(namesOf).filter((name) => !needed.has(name)));
  const namespaces = new Set(operators.map(({ metadata }) => metadata.namespace ?? ''));
  const found: KubeObject[] = [];
  const unread: string[] = [];
  for (const name of [...names].sort()) {
    try {
      const key = { name, namespace: authReaderNamespace };
      const binding: KubeObject | undefined = await client.find(RoleBinding, key, { signal });
      if (binding !== undefined && isAuthReaderOf(binding, namespaces)) found.push(binding);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      unread.push(`RoleBinding ${authReaderNamespace}/${name}`);
    }
  }
  return { found, unread };
}

/**
 * Returns the names of the RoleBindings that OLM creates for a ClusterServiceVersion. Source: operator-lifecycle-manager
 * pkg/controller/install/certresources.go
 */
function namesOf(csv: KubeObject): readonly string[] {
  const servers = [
    ...listOf(fieldAt(csv, 'spec', 'webhookdefinitions')),
    ...listOf(fieldAt(csv, 'spec', 'apiservicedefinitions', 'owned')),
  ];
  return servers
    .map((server) => textOf(fieldAt(server, 'deploymentName')))
    .filter((deployment) => deployment !== '')
    .map((deployment) => `${deployment.replaceAll('.', '-')}${suffix}`);
}

const prefix = 'operators.coreos.com/';

/** Returns the label that OLM v0 sets on objects of a package in a namespace; OLM truncates long labels. */
export function packageLabel(packageName: string, namespace: string): string {
  return `${prefix}${`${packageName}.${namespace}`.slice(0, 63).replace(/[._-]+$/, '')}`;
}

/** Returns true if labels name a package other than the given one, or the given package in another namespace. */
export function isOfOtherPackage(
  labels: Readonly<Record<string, string>> | undefined,
  label: string,
): boolean {
  return Object.keys(labels ?? {}).some((key) => key.startsWith(prefix) && key !== label);
}

/** Returns the custom resources of CustomResourceDefinitions on the cluster, in the version in which they are stored. */
export async function customResourcesOf(
  client: KubeClient,
  crds: readonly KubeObject[],
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const lists = await Promise.all(crds.map((crd) => listOne(client, crd, signal)));
  return lists.flat();
}

async function listOne(
  client: KubeClient,
  crd: KubeObject,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const type = readableType(crd as unknown as ManifestObject);
  if (type === undefined) return [];
  try {
    const { items } = await quietClient(client).list(type, { signal });
    const { apiVersion, kind } = type;
    return items.map((item) => ({ ...item, apiVersion, kind }));
  } catch (error) {
    if (isNotFound(error) || isTypeNotServed(error)) return [];
    throw error;
  }
}
